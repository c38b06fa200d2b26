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

/**
 * Placement of a model: from its own frame (metres, z up; y-up files are converted) to the site frame, in the order
 * scale, rotation, translation.
 */
export type ModelPose = Static<typeof ModelPose>;
export const ModelPose = Type.Object(
  {
    /** Position of the model's origin in the site frame, metres. */
    position: Point,
    /** Degrees clockwise, seen from above. */
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
  /** Number of meshes in the file, and after duplicates were merged. */
  meshesBefore: Type.Integer(),
  meshesAfter: Type.Integer(),
  objects: Type.Integer(),
  tagged: Type.Integer(),
  triangles: Type.Integer(),
  /** Elements with a shape; absent for 3D Tiles and for imports of earlier versions of the product. */
  elements: Type.Optional(Completeness),
  /** Absent for imports of earlier versions of the product. */
  system: Type.Optional(SourceSystem),
  /** Deviations from the file, with their counts. */
  notes: Type.Array(Type.Object({ code: Type.Enum([...reportNotes]), count: Type.Integer() })),
});

export type Model = Static<typeof Model>;
export const Model = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  location: Type.String(),
  /** 0 until the first import has succeeded; each further file adds one. */
  version: Type.Integer(),
  state: Type.Enum(['IMPORTING', 'READY', 'FAILED']),
  /** Why the last import failed. */
  message: nullable(Type.String()),
  /** The same as a message in the reader's language. */
  refusal: nullable(LocalizedError),
  /**
   * Address of the GLB or, for a tiled model, of its `tileset.json` with `objects.json.gz` in the same folder; null
   * before version 1.
   */
  address: nullable(Type.String()),
  /** Number of tiles; 0 for a single GLB. */
  tiles: Type.Integer(),
  bytes: Type.Integer(),
  objects: Type.Integer(),
  /** In the model's own frame, z up, metres. */
  bounds: nullable(Type.Object({ min: Point, max: Point })),
  pose: ModelPose,
  report: nullable(ModelReport),
  updatedAt: Instant,
});

export const listModels = endpoint('GET', '/api/model-3d/:location/models', {
  summary:
    'The models of a location, of those above it and of those below it, at locations that the ' + 'caller can access.',
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
  summary:
    'For admins: the models of a location, of those above it and of those below it, and how far their imports are.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(ManagedModel),
});

export const uploadModel = endpoint('POST', '/api/model-3d/:location/models', {
  summary:
    'A form with one file (GLB, self-contained glTF, IFC, or 3D Tiles in a ZIP file, at most 500 MB) and the fields ' +
    '`name`, or `model` (the uid of a model that the file is a new version of), `pose` as JSON, and `unit`: `FILE` (as ' +
    'the file or its format says, the default) or the unit of length in which it counts. Starts a job that checks and ' +
    'shrinks it.',
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

export const removeModel = endpoint('DELETE', '/api/model-3d/:location/models/:model', {
  summary: 'Removes a model with its mappings.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, model: Uid }),
  reply: Empty,
});

export const mappingKinds = ['TAG', 'NODE'] as const;
/** An admin's mapping of an object to a tag or a node. It takes precedence over the file. */
export type ModelMapping = Static<typeof ModelMapping>;
export const ModelMapping = Type.Object({
  /** Uid. */
  model: Type.String(),
  /** Key of the object, stable across versions. */
  object: Type.String(),
  kind: Type.Enum([...mappingKinds]),
  /** Number of the tag or uid of the node; null maps to no tag, whatever the file says. */
  target: nullable(Type.String()),
});

export const listMappings = endpoint('GET', '/api/model-3d/:location/mappings', {
  summary: 'What the objects of the models that `listModels` gives are mapped to.',
  access: 'threeDimensionalAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(ModelMapping),
});

const ObjectKey = Type.String({ minLength: 1, maxLength: 300 });

export const mapObject = endpoint('PUT', '/api/model-3d/:location/models/:model/mapping', {
  summary:
    'Maps an object of a model to a tag (by its number, or one that it had before), to a node (by its uid) or, with ' +
    '`target` null, to no tag, in place of what it was mapped to before. 400 where the site has no such tag or node.',
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
  summary: 'What the file says counts again.',
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
   * The tag of the mapping, with `number` null for no tag; null if it is not mapped and the tag of the file applies.
   */
  mappedTag: nullable(Type.Object({ number: nullable(Type.String()) })),
  /** Uid of the mapped node. */
  mappedNode: nullable(Type.String()),
  /** Whether the site has a tag with the effective number, now or formerly; null if there is no such number. */
  known: nullable(Type.Boolean()),
});

const maxObjects = 200;
export const listObjects = endpoint('GET', '/api/model-3d/:location/objects', {
  summary:
    'For admins: the objects of the models of a location, of those above it and of those below it, linked to the tags ' +
    `of the site; in pages of at most ${maxObjects}. \`state\`: \`LINKED\` to a tag or a node, \`UNLINKED\`, ` +
    '`MAPPED` by an admin, with an `UNKNOWN_TAG` that the site does not have; or, for `TAG_WITHOUT_OBJECT`, the tags ' +
    'of the tour (where there is none, of all tours below) that no object has.',
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
    /** Total of the query, over all pages. */
    total: Type.Integer(),
    /** Total of all objects, without filters. */
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

export const viewerToken = endpoint('GET', '/api/model-3d/:location/viewer-token', {
  summary: 'A token with which the browser reads the models of the external service.',
  access: 'threeDimensionalAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Object({ token: Type.String(), expiresInSeconds: Type.Integer() }),
});
