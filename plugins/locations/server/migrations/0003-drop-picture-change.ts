import type { Migration } from '#core/server';

/** Changes of pictures are in the journal of core. Those of before can no longer be undone; the audit log has them. */
export const dropPictureChange: Migration = {
  id: 'locations-0003-drop-picture-change',
  up: 'drop table picture_change;',
};
