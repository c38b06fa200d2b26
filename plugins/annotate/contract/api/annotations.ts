import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { ChangedVersion, Instant, LocationUid, nullable, NewUid } from '#core/api';
import { itemEndpoints, itemFields, inputFields } from './items.ts';
import { StoredPoint } from './shapes.ts';

/** The seven tools, in the spelling of the specification. */
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

export const annotationStates = ['OPEN', 'DONE'] as const;
export type AnnotationStatus = (typeof annotationStates)[number];

const written = {
  ...inputFields,
  kind: Type.Enum([...annotationKinds]),
  /** The remark; for a text label, its text. */
  text: Type.String({ maxLength: 2000 }),
  /** Degrees Celsius, entered by a person; null for all other kinds. */
  temperature: nullable(Type.Number({ minimum: -273.15, maximum: 5000 })),
  status: Type.Enum([...annotationStates]),
  /**
   * Positions in space: one point for `CORDINATES`, `TEMPERATURE` and `TEXT_LABEL`; two for `DISTANCE` and `ARROW`
   * (tail, head); the four corners in order for `RECTANGLE` and `ELLIPSE`.
   */
  points: Type.Array(StoredPoint, { minItems: 1, maxItems: 4 }),
};

export type AnnotationInput = Static<typeof AnnotationInput>;
export const AnnotationInput = Type.Object({ ...written, version: ChangedVersion }, { additionalProperties: false });

export type AnnotationComment = Static<typeof AnnotationComment>;
export const AnnotationComment = Type.Object({
  uid: Type.String(),
  text: Type.String(),
  /** Name of the comment's author, formed as for annotations. */
  author: Type.String(),
  createdAt: Instant,
});

export type Annotation = Static<typeof Annotation>;
export const Annotation = Type.Object({
  ...written,
  ...itemFields,
  /** Oldest first. */
  comments: Type.Array(AnnotationComment),
});

export const {
  list: listAnnotations,
  put: putAnnotation,
  remove: deleteAnnotation,
} = itemEndpoints('annotations', { one: 'an annotation', plural: 'annotations' }, AnnotationInput, Annotation);

export const putComment = endpoint('PUT', '/api/annotate/:location/annotations/:uid/comments/:comment', {
  summary:
    'Write a comment on an annotation that the caller sees, under a uid that the caller chose. Sent twice it is ' +
    'kept once.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid, comment: NewUid }),
  body: Type.Object(
    { text: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }) },
    { additionalProperties: false },
  ),
  reply: AnnotationComment,
});
