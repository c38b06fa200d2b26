import type { Migration } from '#core/server';

/** Whoever reads a picture is asked after the snapshot that it belongs to. */
export const findSnapshotByPicture: Migration = {
  id: 'annotate-0004-find-snapshot-by-picture',
  up: 'create unique index snapshot_picture on snapshot (picture)',
};
