import { Type, type Static } from 'typebox';
import { InstantInput, NewUid, nullable } from '#core/api';
import { MeasurementInput } from '../../contract/api.ts';
import { AnnotationInput } from '../../contract/api/annotations.ts';
import { SnapshotInput } from '../../contract/api/snapshots.ts';

export const itemsFile = 'items.json';

const commonFields = {
  uid: NewUid,
  location: Type.String(),
  /** Code of the viewpoint at which it was created. */
  viewpoint: nullable(Type.String()),
  /** Name of the author. Accounts are not exported. */
  author: Type.String({ maxLength: 254 }),
  createdAt: InstantInput,
  updatedAt: InstantInput,
};

export const ExportedMeasurement = Type.Object({
  ...Type.Omit(MeasurementInput, ['tour', 'node', 'shared', 'version']).properties,
  ...commonFields,
});
export const ExportedAnnotation = Type.Object({
  ...Type.Omit(AnnotationInput, ['tour', 'node', 'shared', 'version']).properties,
  ...commonFields,
  comments: Type.Array(
    Type.Object({
      uid: NewUid,
      text: Type.String({ maxLength: 2000 }),
      author: Type.String({ maxLength: 254 }),
      createdAt: InstantInput,
    }),
  ),
});
export const ExportedSnapshot = Type.Object({
  ...Type.Omit(SnapshotInput, ['tour', 'node', 'tag', 'shared', 'version']).properties,
  ...commonFields,
  /** Tag number of the selected tag. */
  tag: nullable(Type.String()),
  picture: Type.String(),
  thumbnail: Type.String(),
});
export const ExportedItems = Type.Object({
  measurements: Type.Array(ExportedMeasurement),
  annotations: Type.Array(ExportedAnnotation),
  snapshots: Type.Array(ExportedSnapshot),
});
export type ExportedItems = Static<typeof ExportedItems>;
