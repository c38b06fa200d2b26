import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, Instant, LocationUid, nullable, NewUid } from '#core/api';
import { itemEndpoints, itemFields, inputFields } from './items.ts';
import { StoredPoint } from './shapes.ts';

/** The kinds of the seven annotation tools, spelled as in the specification. */
export const annotationKinds = [
  'CORDINATES',
  'TEMPERATURE',
  'DISTANCE',
  'TEXT_LABEL',
  'ARROW',
  'RECTANGLE',
  'ELLIPSE',
] as const;
export type AnnotationKind = (typeof annotationKinds)[number];

export const annotationStatuses = ['OPEN', 'DONE'] as const;
export type AnnotationStatus = (typeof annotationStatuses)[number];

const writableFields = {
  ...inputFields,
  kind: Type.Enum([...annotationKinds]),
  /** The remark, or the text of a text label. */
  text: Type.String({ maxLength: 2000 }),
  /** Degrees Celsius that a person entered for `TEMPERATURE`, or null for all other kinds. */
  temperature: nullable(Type.Number({ minimum: -273.15, maximum: 5000 })),
  status: Type.Enum([...annotationStatuses]),
  /**
   * `CORDINATES`, `TEMPERATURE` and `TEXT_LABEL` have one point. `DISTANCE` and `ARROW` (tail, head) have two points.
   * `RECTANGLE` and `ELLIPSE` have four corners in order.
   */
  points: Type.Array(StoredPoint, { minItems: 1, maxItems: 4 }),
};

export type AnnotationInput = Static<typeof AnnotationInput>;
export const AnnotationInput = Type.Object(
  { ...writableFields, version: BaseVersion },
  { additionalProperties: false },
);

export type AnnotationComment = Static<typeof AnnotationComment>;
export const AnnotationComment = Type.Object({
  uid: Type.String(),
  text: Type.String(),
  /** Name of the comment's author, or the username if the account has no name. */
  author: Type.String(),
  createdAt: Instant,
});

export type Annotation = Static<typeof Annotation>;
export const Annotation = Type.Object({
  ...writableFields,
  ...itemFields,
  /** The comments, oldest first. */
  comments: Type.Array(AnnotationComment),
});

export const {
  list: listAnnotations,
  put: putAnnotation,
  remove: deleteAnnotation,
} = itemEndpoints('annotations', { singular: 'an annotation', plural: 'annotations' }, AnnotationInput, Annotation);

export const putComment = endpoint('PUT', '/api/annotate/:location/annotations/:uid/comments/:comment', {
  summary:
    'Saves a comment on an annotation that the caller can see, under a uid that the caller chose. A comment that is ' +
    'sent twice is saved once.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid, comment: NewUid }),
  body: Type.Object(
    { text: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }) },
    { additionalProperties: false },
  ),
  reply: AnnotationComment,
});
