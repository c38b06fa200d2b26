import { Type, type Static } from 'typebox';
import { endpoint, type Rule } from '#core';
import {
  BaseVersion,
  Changed,
  CoordinateInput,
  PointInput,
  LocationUid,
  NewUid,
  nullable,
  Page,
  pageQuery,
  Point,
  Uid,
} from '#core/api';
import { tagTypes } from '../api.ts';
import {
  descriptionRules,
  lineKind,
  maxDescriptionLength,
  maxDn,
  maxNumberLength,
  npsPattern,
  numberRules,
  requiredTextPattern,
  tagKinds,
  textPattern,
} from '../values/tag-values.ts';

const TagNumber = Type.String({ minLength: 1, maxLength: maxNumberLength, pattern: requiredTextPattern });
const ShortText = Type.String({ maxLength: maxNumberLength, pattern: textPattern });
const rules = { number: numberRules as readonly Rule[], description: descriptionRules as readonly Rule[] };

/** Data of a line. */
export type LineData = Static<typeof LineData>;
export const LineData = Type.Object(
  {
    service: TagNumber,
    /** Nominal pipe size in inches, as text such as `1 1/2`. */
    nps: Type.String({ maxLength: 10, pattern: npsPattern }),
    /** Nominal diameter, millimetres. */
    dn: Type.Integer({ minimum: 1, maximum: maxDn }),
    /** Metres. */
    outsideDiameter: Type.Number({ exclusiveMinimum: 0, maximum: 10 }),
    /** The ends of the line as in the line list. They need not be tags of the site. */
    from: ShortText,
    to: ShortText,
  },
  { additionalProperties: false },
);

/** A tag or line in the list for admins. */
export type ContentTag = Static<typeof ContentTag>;
export const ContentTag = Type.Object({
  uid: Type.String(),
  number: Type.String(),
  type: Type.Enum([...tagTypes]),
  kind: Type.String(),
  description: Type.String(),
  location: Type.String(),
  /** The line that the tag belongs to. */
  line: nullable(Type.Object({ uid: Type.String(), number: Type.String() })),
  position: nullable(Point),
  /** Number of viewpoints that see the tag. */
  views: Type.Integer(),
  /** True while a job computes the views, after a change of many rows. */
  viewsPending: Type.Optional(Type.Boolean()),
  /** True for a line with a course. */
  hasCourse: Type.Optional(Type.Boolean()),
  /** Number of documents that describe the tag. */
  documents: Type.Integer(),
  version: Type.Integer(),
});

export type ContentTagView = Static<typeof ContentTagView>;
export const ContentTagView = Type.Object({
  /** Uid of the node. */
  node: Type.String(),
  code: Type.String(),
  name: Type.String(),
  location: Type.String(),
  /** Direction in degrees and distance in metres from the camera. */
  pan: Type.Number(),
  tilt: Type.Number(),
  distance: Type.Number(),
  /** Visible fraction, above 0. Null if unknown, which counts as visible. */
  visible: nullable(Type.Number()),
  /** True if the viewpoint has a range image, from which `visible` is computed. */
  hasDepth: Type.Boolean(),
});

/** A tag or line with all editable values, its views and its documents. */
export type ContentTagDetails = Static<typeof ContentTagDetails>;
export const ContentTagDetails = Type.Object({
  ...ContentTag.properties,
  /** Latest first. */
  formerNumbers: Type.Array(Type.String()),
  /** Only for lines. */
  pipe: nullable(LineData),
  /** Number of tags on this line. */
  tagsOnLine: Type.Integer(),
  /** The best view first: near, and not steeply above or below. Only nodes at locations that the caller can access. */
  seenFrom: Type.Array(ContentTagView),
  /** By code. Only documents at locations that the caller can access. */
  linkedDocuments: Type.Array(
    Type.Object({ uid: Type.String(), code: Type.String(), title: Type.String(), location: Type.String() }),
  ),
});

const params = Type.Object({ location: LocationUid });
const tagParams = Type.Object({ location: LocationUid, tag: Uid });
const sharedShape = { access: 'configure', location: 'params.location' } as const;
const versionConflict = 'Replies 409 with the current version if the tag or line was changed in the meantime.';

export const maxTagRows = 200;
export const tagSorts = ['number', 'kind', 'description'] as const;
export type TagSort = (typeof tagSorts)[number];
export const tagPlacements = ['PLACED', 'UNPLACED'] as const;

export const listContentTags = endpoint('GET', '/api/tag-content/:location', {
  summary:
    `Lists the tags and lines at a location and below it for admins, in pages of at most ${maxTagRows}. \`text\` is ` +
    'part of a number or a description; `*` stands for any characters.',
  ...sharedShape,
  params,
  query: Type.Object(
    {
      text: Type.Optional(Type.String({ maxLength: maxNumberLength })),
      type: Type.Optional(Type.Enum([...tagTypes])),
      kind: Type.Optional(Type.Enum([...tagKinds, lineKind])),
      place: Type.Optional(Type.Enum([...tagPlacements])),
      sort: Type.Optional(Type.Enum([...tagSorts])),
      descending: Type.Optional(Type.Literal('true')),
      ...pageQuery(maxTagRows),
    },
    { additionalProperties: false },
  ),
  reply: Page(ContentTag),
});

export const getContentTag = endpoint('GET', '/api/tag-content/:location/tags/:tag', {
  summary: 'Returns a tag or line with its documents, its views and the number of tags on the line, for admins.',
  ...sharedShape,
  params: tagParams,
  reply: ContentTagDetails,
});

export const maxPreviewedViews = 50;

/** The viewpoints that would see a tag at a position. */
export type TagViewsPreview = Static<typeof TagViewsPreview>;
export const TagViewsPreview = Type.Object({
  /** The best view first, at most `maxPreviewedViews`. Only nodes at locations that the caller can access. */
  views: Type.Array(ContentTagView),
  /** Number of viewpoints whose range image was read and in which a nearer surface hides the position. */
  hidden: Type.Integer(),
});

export const previewTagViews = endpoint('GET', '/api/tag-content/:location/tags/:tag/views', {
  summary:
    'Returns the viewpoints within 25 m that would see a tag at a position. For the nearest ones, `visible` is computed ' +
    'from the range image. For the others, it is null. Changes nothing.',
  ...sharedShape,
  params: tagParams,
  query: Type.Object(
    { east: CoordinateInput, north: CoordinateInput, up: CoordinateInput },
    { additionalProperties: false },
  ),
  reply: TagViewsPreview,
});

const tagFields = {
  number: TagNumber,
  type: Type.Enum([...tagTypes]),
  kind: Type.Enum([...tagKinds, lineKind]),
  description: Type.String({ maxLength: maxDescriptionLength, pattern: textPattern }),
  /** Uids of the location and of the line that a tag belongs to. */
  location: LocationUid,
  line: nullable(Uid),
  position: nullable(PointInput),
  /** Only for lines. */
  pipe: nullable(LineData),
};

export const createTag = endpoint('POST', '/api/tag-content/:location/tags', {
  summary:
    'Creates a tag or a line. A tag with a position gets views from the viewpoints within 25 m, except those ' +
    'whose range image shows that it is hidden. Replies 409 if the number is or was in use at the site.',
  ...sharedShape,
  params,
  body: Type.Object({ uid: NewUid, ...tagFields }, { additionalProperties: false }),
  rules,
  status: 201,
  reply: Changed,
});

export const updateTag = endpoint('PUT', '/api/tag-content/:location/tags/:tag', {
  summary: `Changes a tag or a line. Its former number still finds it. ${versionConflict}`,
  ...sharedShape,
  params: tagParams,
  body: Type.Object({ ...tagFields, version: BaseVersion }, { additionalProperties: false }),
  rules,
  reply: Changed,
});

export const placeTag = endpoint('PUT', '/api/tag-content/:location/tags/:tag/position', {
  summary: `Sets or removes the position of a tag. Its views are computed again. ${versionConflict}`,
  ...sharedShape,
  params: tagParams,
  body: Type.Object({ position: nullable(PointInput), version: BaseVersion }, { additionalProperties: false }),
  reply: Changed,
});

export const deleteTag = endpoint('DELETE', '/api/tag-content/:location/tags/:tag', {
  summary: `Deletes a tag or a line. Its documents are kept. The tags of a deleted line are kept without a line. ${versionConflict}`,
  ...sharedShape,
  params: tagParams,
  query: Type.Object({ version: BaseVersion }, { additionalProperties: false }),
  reply: Changed,
});
