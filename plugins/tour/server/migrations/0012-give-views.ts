import type { Migration } from '#core/server';

/** Stores the imported views of lines and tags without a position, so that an undo can restore them. */
export const giveViews: Migration = {
  id: 'tour-0012-give-views',
  up: `
    alter table tag_view add column given jsonb check (jsonb_typeof(given) = 'object');
    update tag_view set given = jsonb_build_object('pan', pan, 'tilt', tilt, 'distance', distance, 'visible', visible)
    from tag where tag.uid = tag_view.tag and tag.x is null;
  `,
};
