import { Type, type Static } from 'typebox';
import { serverEvent } from '#core';

const changeFields = {
  uid: Type.String(),
  location: Type.String(),
  /** The version after the change. A browser that already has this version loads nothing. */
  version: Type.Integer(),
  deleted: Type.Boolean(),
};

/**
 * Names a changed row without its content. It is sent to everyone who can see the row, for a private row only to its
 * author. The server checks access again when a receiver loads the row.
 */
export type ItemChange = Static<typeof ItemChange>;
const ItemChange = Type.Object(changeFields);

export const measurementChanged = serverEvent('annotate.measurementChanged', ItemChange);
export const snapshotChanged = serverEvent('annotate.snapshotChanged', ItemChange);

/** Adds the number of comments, because a new comment does not change the version. */
export type AnnotationChange = Static<typeof AnnotationChange>;
const AnnotationChange = Type.Object({ ...changeFields, comments: Type.Integer() });
export const annotationChanged = serverEvent('annotate.annotationChanged', AnnotationChange);
