import type { Migration } from '#core/server';

/** Short links to views of tours. */
export const createViewLinks: Migration = {
  id: 'tour-0003-create-view-links',
  up: `
    create table view_link (
      code text primary key,
      location text not null,
      view text not null,
      digest text not null,
      author text not null,
      created_at timestamptz not null,
      unique (location, digest)
    );
  `,
};
