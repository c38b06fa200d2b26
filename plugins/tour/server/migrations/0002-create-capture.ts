import type { Migration } from '#core/server';

/** Panoramas of earlier dates; that of the latest stays with its node. */
export const createCapture: Migration = {
  id: 'tour-0002-create-capture',
  up: `
    create table capture (
      uid text primary key,
      node text not null references node on delete cascade,
      captured_at timestamptz not null,
      panorama_file text not null,
      range_file text,
      pyramid_file text,
      pyramid jsonb,
      unique (node, captured_at)
    );
  `,
};
