import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import {
  Completeness,
  Empty,
  Instant,
  LocationUid,
  nullable,
  pageQuery,
  Point,
  SourceSystem,
  LocalizedError,
  Uid,
} from '#core/api';
import { objectStates } from './values/object-states.ts';
import { mappingRules } from './values/tag-rules.ts';

/**
 * Placement of a model: from its own frame (metres, z up; y-up files are converted) to the site frame, in the order
 * scale, rotation, translation.
 */
export type ModelPose = Static<typeof ModelPose>;
export const ModelPose = Type.Object(
  {
    /** Position of the model's origin in the site frame, metres. */
    position: Point,
    /** Rotation in degrees clockwise, seen from above. */
    heading: Type.Number({ minimum: -360, maximum: 360 }),
    scale: Type.Number({ exclusiveMinimum: 0, maximum: 10_000 }),
  },
  { additionalProperties: false },
);

export const modelSources = ['GLB', 'GLTF', 'IFC', 'TILES'] as const;
export const reportNotes = [
  'animationsDropped',
  'linesDropped',
  'texturesDropped',
  'tagsRepeated',
  'shapesDropped',
  'pointsDropped',
  'tilesDropped',
  'elementsUnread',
  'referencesMissing',
] as const;

/** Result of an import. */
export type ModelReport = Static<typeof ModelReport>;
export const ModelReport = Type.Object({
  source: Type.Enum([...modelSources]),
  bytesBefore: Type.Integer(),
  bytesAfter: Type.Integer(),
  /** Number of meshes in the file, before duplicates are merged. */
  meshesBefore: Type.Integer(),
  meshesAfter: Type.Integer(),
  objects: Type.Integer(),
  tagged: Type.Integer(),
  triangles: Type.Integer(),
  /**
   * How many of the elements with a shape were imported. Absent for 3D Tiles and for imports by earlier versions of the
   * product.
   */
  elements: Type.Optional(Completeness),
  /** Units and coordinate system of the file. Absent for imports by earlier versions of the product. */
  system: Type.Optional(SourceSystem),
  /** Kinds of content that were changed or omitted, with their counts. */
  notes: Type.Array(Type.Object({ code: Type.Enum([...reportNotes]), count: Type.Integer() })),
});

export type Model = Static<typeof Model>;
export const Model = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  location: Type.String(),
  /** The version is 0 until the first import succeeds. Each later import adds one. */
  version: Type.Integer(),
  state: Type.Enum(['IMPORTING', 'READY', 'FAILED']),
  /** The reason for which the last import failed, in English, for logs and API clients. */
  message: nullable(Type.String()),
  /** The same reason, for translation in the browser. */
  refusal: nullable(LocalizedError),
  /**
   * URL of the GLB or, for a tiled model, of its `tileset.json`, which has `objects.json.gz` in the same folder.
   * Null before version 1.
   */
  address: nullable(Type.String()),
  /** Number of tiles, which is 0 for a single GLB. */
  tiles: Type.Integer(),
  bytes: Type.Integer(),
  objects: Type.Integer(),
  /** The bounding box in the model's own frame, z up, in metres. */
  bounds: nullable(Type.Object({ min: Point, max: Point })),
  pose: ModelPose,
  report: nullable(ModelReport),
  updatedAt: Instant,
});

export const listModels = endpoint('GET', '/api/model-3d/:location/models', {
  summary:
    'Lists the models of a location and of the locations above and below it, as far as the caller can access them.',
  access: 'threeDimensionalAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(Model),
});

export type ManagedModel = Static<typeof ManagedModel>;
export const ManagedModel = Type.Object({
  ...Model.properties,
  /** The running import. */
  job: nullable(Type.Object({ id: Type.String(), done: Type.Number(), total: nullable(Type.Number()) })),
});

export const listManagedModels = endpoint('GET', '/api/model-3d/:location/managed-models', {
  summary: 'Lists, for admins, the models of a location and of the locations above and below it, with running imports.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(ManagedModel),
});

export const uploadModel = endpoint('POST', '/api/model-3d/:location/models', {
  summary:
    'Uploads a model and starts a job that checks and compresses it. The form has one file (GLB, self-contained glTF, ' +
    'IFC, or 3D Tiles in a ZIP file, at most 500 MB) and the fields `pose` (JSON), `unit`, and either `name` for a new model ' +
    'or `model`, the uid of the model that the file replaces. `unit` is `FILE` (the unit of the file or of its format, ' +
    'the default) or a unit of length.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  status: 201,
  reply: Type.Object({ model: Type.String(), job: Type.String() }),
});

export const placeModel = endpoint('PUT', '/api/model-3d/:location/models/:model', {
  summary: 'Names a model and places it in the site.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, model: Uid }),
  body: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 120 }), pose: ModelPose },
    { additionalProperties: false },
  ),
  reply: Model,
});

export const deleteModel = endpoint('DELETE', '/api/model-3d/:location/models/:model', {
  summary: 'Deletes a model and its mappings.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, model: Uid }),
  reply: Empty,
});

export const mappingKinds = ['TAG', 'NODE'] as const;
/** An admin's mapping of an object to a tag or a node. It takes precedence over the file. */
export type ModelMapping = Static<typeof ModelMapping>;
export const ModelMapping = Type.Object({
  /** Uid of the model. */
  model: Type.String(),
  /** Key of the object, stable across versions. */
  object: Type.String(),
  kind: Type.Enum([...mappingKinds]),
  /** A tag number, or the uid of a node. Null removes the object from its tag in the file. */
  target: nullable(Type.String()),
});

export const listMappings = endpoint('GET', '/api/model-3d/:location/mappings', {
  summary: 'Lists the mappings of all objects of the models that `listModels` returns.',
  access: 'threeDimensionalAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(ModelMapping),
});

const ObjectKey = Type.String({ minLength: 1, maxLength: 300 });

export const mapObject = endpoint('PUT', '/api/model-3d/:location/models/:model/mapping', {
  summary:
    'Maps an object of a model to a tag (by its current or a former number), to a node (by its uid) or, with `target` ' +
    'null, to no tag. Replaces an earlier mapping. Answers 400 if the site has no such tag or node.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, model: Uid }),
  body: Type.Object(
    {
      object: ObjectKey,
      kind: Type.Enum([...mappingKinds]),
      target: nullable(Type.String({ minLength: 1, maxLength: 120 })),
    },
    { additionalProperties: false },
  ),
  reply: ModelMapping,
});

export const unmapObject = endpoint('DELETE', '/api/model-3d/:location/models/:model/mapping', {
  summary: 'Deletes the mapping of an object, so that the tag in the model file, or of the rules, applies again.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, model: Uid }),
  query: Type.Object({ object: ObjectKey, kind: Type.Enum([...mappingKinds]) }, { additionalProperties: false }),
  reply: Empty,
});

/** An object of a model and its links. */
export type MappedObject = Static<typeof MappedObject>;
export const MappedObject = Type.Object({
  model: Type.String(),
  key: Type.String(),
  name: Type.String(),
  /** Names of its ancestors, outermost first. */
  within: Type.Array(Type.String()),
  /** Tag in the file. */
  tag: nullable(Type.String()),
  /**
   * Null if there is no mapping, so that the tag of the file applies. `number` is null if it is mapped to no tag.
   * `rule` is the source of the mapping, null if an admin mapped it.
   */
  mappedTag: nullable(Type.Object({ number: nullable(Type.String()), rule: nullable(Type.Enum([...mappingRules])) })),
  /** Uid of the mapped node. */
  mappedNode: nullable(Type.String()),
  /** Whether the site has or had a tag with the object's effective number. Null if the object has no number. */
  known: nullable(Type.Boolean()),
});

const maxObjects = 200;
export const listObjects = endpoint('GET', '/api/model-3d/:location/objects', {
  summary:
    'Lists, for admins, the objects of the models of a location and of the locations above and below it, with their ' +
    `tags, in pages of at most ${maxObjects}. \`state\` selects objects that are \`LINKED\` to a tag or a node, ` +
    '`UNLINKED`, `MAPPED` by an admin, or have an `UNKNOWN_TAG` that the site does not have. `TAG_WITHOUT_OBJECT` ' +
    'returns, in place of objects, the tags of the tour that have no object. If the location has no tour, these are ' +
    'the tags of all tours below it.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  query: Type.Object(
    {
      text: Type.Optional(Type.String({ maxLength: 120 })),
      state: Type.Optional(Type.Enum([...objectStates])),
      ...pageQuery(maxObjects),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** Number of matches on all pages. */
    total: Type.Integer(),
    /** Number of objects in each state, without filters. */
    counts: Type.Object({
      ALL: Type.Integer(),
      LINKED: Type.Integer(),
      UNLINKED: Type.Integer(),
      MAPPED: Type.Integer(),
      UNKNOWN_TAG: Type.Integer(),
      TAG_WITHOUT_OBJECT: Type.Integer(),
    }),
    objects: Type.Array(MappedObject),
    tags: Type.Array(Type.String()),
  }),
});

export const getViewerToken = endpoint('GET', '/api/model-3d/:location/viewer-token', {
  summary:
    'Returns a token with which the browser reads the models of the external viewer service that the profile names.',
  access: 'threeDimensionalAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Object({ token: Type.String(), expiresInSeconds: Type.Integer() }),
});
