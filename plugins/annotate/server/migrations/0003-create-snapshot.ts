import type { Migration } from '#core/server';

export const createSnapshot: Migration = {
  id: 'annotate-0003-create-snapshot',
  up: `
    create table snapshot (
      uid uuid primary key,
      location text not null,
      tour text not null,
      node text,
      tag text,
      name text not null,
      text text not null,
      marks jsonb not null,
      view text,
      shared boolean not null,
      picture text,
      author text not null,
      author_name text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      version integer not null
    );
    create index snapshot_location on snapshot (location, created_at desc);
  `,
};
