import type { Migration } from '#core/server';

/** Changes of pictures are now in core's journal. Earlier changes can no longer be undone. The audit log has them. */
export const dropPictureChange: Migration = {
  id: 'locations-0003-drop-picture-change',
  up: 'drop table picture_change;',
};
