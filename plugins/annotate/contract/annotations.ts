import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { Empty, Instant } from '#core/api';
import { Location, nullable, StoredPoint, Uid } from './schemas.ts';

/** The seven tools, as the specification spells them. */
export const annotationKinds = ['CORDINATES', 'TEMPERATURE', 'DISTANCE', 'TEXT_LABEL', 'ARROW', 'RECTANGLE', 'ELLIPSE'] as const;
export type AnnotationKind = (typeof annotationKinds)[number];

export const annotationStates = ['OPEN', 'DONE'] as const;
export type AnnotationStatus = (typeof annotationStates)[number];

const written = {
  kind: Type.Enum([...annotationKinds]),
  name: Type.String({ minLength: 1, maxLength: 120 }),
  /** What was found; of a text label what it says. */
  text: Type.String({ maxLength: 2000 }),
  /** Degrees Celsius, as somebody read it; null for all other kinds. */
  temperature: nullable(Type.Number({ minimum: -273.15, maximum: 5000 })),
  status: Type.Enum([...annotationStates]),
  /**
   * Where it stands in space: one point for `CORDINATES`, `TEMPERATURE` and `TEXT_LABEL`; two for `DISTANCE` and `ARROW` (tail, head); for `RECTANGLE` and `ELLIPSE` the
   * four corners of the rectangle in their order.
   */
  points: Type.Array(StoredPoint, { minItems: 1, maxItems: 4 }),
  /** Code of the tour. */
  tour: Type.String({ minLength: 1, maxLength: 64 }),
  /** Code of the node where the person stood. */
  node: nullable(Type.String({ maxLength: 64 })),
  /** The view in which it was made, as an address holds it. */
  view: nullable(Type.String({ maxLength: 2000 })),
  /** Whether others who may see the location see it. */
  shared: Type.Boolean(),
};

export type WrittenAnnotation = Static<typeof WrittenAnnotation>;
export const WrittenAnnotation = Type.Object({ ...written, version: Type.Integer({ minimum: 0, description: 'The version that was changed; 0 for a new one.' }) }, { additionalProperties: false });

export type AnnotationComment = Static<typeof AnnotationComment>;
export const AnnotationComment = Type.Object({
  uid: Type.String(),
  text: Type.String(),
  /** Username of who wrote it. */
  author: Type.String(),
  createdAt: Instant,
});

export type Annotation = Static<typeof Annotation>;
export const Annotation = Type.Object({
  ...written,
  uid: Type.String(),
  location: Type.String(),
  /** Rises by one with each change; a comment is no change. */
  version: Type.Integer(),
  /** Username of who made it. */
  author: Type.String(),
  /** Whether the caller made it. */
  own: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  /** The first comes first. */
  comments: Type.Array(AnnotationComment),
});

export const listAnnotations = endpoint('GET', '/api/annotate/:location/annotations', {
  summary: "The caller's own annotations and those that others share, with their comments, at the location and below it, as far as the caller reaches; the latest first.",
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location }),
  reply: Type.Array(Annotation),
});

export const putAnnotation = endpoint('PUT', '/api/annotate/:location/annotations/:uid', {
  summary: 'Keep an annotation under a uid that the caller chose. 409 where another has changed it since `version`; the answer then holds theirs in `current`. Sent twice it is kept once.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location, uid: Uid }),
  body: WrittenAnnotation,
  reply: Annotation,
});

export const deleteAnnotation = endpoint('DELETE', '/api/annotate/:location/annotations/:uid', {
  summary: "Delete an annotation of one's own, with its comments. What is gone already stays gone.",
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location, uid: Uid }),
  reply: Empty,
});

export const putComment = endpoint('PUT', '/api/annotate/:location/annotations/:uid/comments/:comment', {
  summary: 'Write a comment on an annotation that the caller sees, under a uid that the caller chose. Sent twice it is kept once.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Location, uid: Uid, comment: Uid }),
  body: Type.Object({ text: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }) }, { additionalProperties: false }),
  reply: AnnotationComment,
});
