import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, LocationUid, nullable, NewUid } from '#core/api';
import { itemEndpoints, itemFields, inputFields } from './items.ts';

/** A visible measurement or annotation, formatted in the language and unit of the snapshot's author. */
export type SnapshotMark = Static<typeof SnapshotMark>;
export const SnapshotMark = Type.Object(
  { name: Type.String({ maxLength: 120 }), words: Type.String({ maxLength: 2200 }) },
  { additionalProperties: false },
);

const writableFields = {
  ...inputFields,
  /** The remark, which may be empty. */
  text: Type.String({ maxLength: 2000 }),
  /** Uid of the selected tag. */
  tag: nullable(Type.String({ minLength: 1, maxLength: 64 })),
  /** The measurements and annotations in the view, which are listed next to the image. */
  marks: Type.Array(SnapshotMark, { maxItems: 200 }),
};

export type SnapshotInput = Static<typeof SnapshotInput>;
export const SnapshotInput = Type.Object({ ...writableFields, version: BaseVersion }, { additionalProperties: false });

export type Snapshot = Static<typeof Snapshot>;
export const Snapshot = Type.Object({
  ...writableFields,
  ...itemFields,
  /** The current number of the tag. It is null until the server has replied, and after the tag was deleted. */
  tagNumber: nullable(Type.String()),
  /** URLs of two JPEG files, or null before they are uploaded. Until then only the author sees the snapshot. */
  picture: nullable(Type.Object({ address: Type.String(), thumbnail: Type.String() })),
});

export const {
  list: listSnapshots,
  put: putSnapshot,
  remove: deleteSnapshot,
} = itemEndpoints('snapshots', { singular: 'a snapshot', plural: 'snapshots' }, SnapshotInput, Snapshot);

export const putSnapshotPicture = endpoint('PUT', '/api/annotate/:location/snapshots/:uid/picture', {
  summary:
    "Uploads the image of one of the caller's own snapshots as a form with two JPEG files of at most 20 MB, `picture` " +
    'and `thumbnail`. The first upload is final, and a repeated upload has no effect.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: NewUid }),
  reply: Snapshot,
});
