import type { Migration } from '#core/server';

/** Adds versions of pictures, and the journal from which changes are undone. */
export const addPictureChange: Migration = {
  id: 'locations-0002-add-picture-change',
  up: `
    alter table location_picture add column version integer not null default 1;
    create table picture_change (
      uid text primary key,
      at timestamptz not null,
      action text not null,
      location text not null,
      before jsonb not null,
      after jsonb not null,
      undone_by text
    );
  `,
};
