import type { Migration } from '#core/server';

/** The walls of a deck: `[{"number": 1, "points": [[east, north], ...]}]`, metres in the site frame. */
export const drawWalls: Migration = {
  id: 'tour-0011-draw-walls',
  up: `
    alter table deck add column walls jsonb not null default '[]' check (jsonb_typeof(walls) = 'array');
  `,
};
