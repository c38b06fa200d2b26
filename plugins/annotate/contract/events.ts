import { Type, type Static } from 'typebox';
import { serverEvent } from '#core';

const changeFields = {
  uid: Type.String(),
  location: Type.String(),
  /** The version after the change. Whoever has it already loads nothing. */
  version: Type.Integer(),
  deleted: Type.Boolean(),
};

/**
 * Says which row was changed and nothing that it holds: to whoever may see it, to its author alone while it is private.
 * What a receiver may still see of it is decided when they load it.
 */
export type ItemChange = Static<typeof ItemChange>;
const ItemChange = Type.Object(changeFields);

export const measurementChanged = serverEvent('annotate.measurementChanged', ItemChange);
export const snapshotChanged = serverEvent('annotate.snapshotChanged', ItemChange);

/** Comments change no version; their number rises with each. */
export type AnnotationChange = Static<typeof AnnotationChange>;
const AnnotationChange = Type.Object({ ...changeFields, comments: Type.Integer() });
export const annotationChanged = serverEvent('annotate.annotationChanged', AnnotationChange);
