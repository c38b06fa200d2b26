import type { Migration } from '#core/server';

/** `unit`: what the person chose at the import. `contents`: how much was read of each file, and its coordinate system. */
export const noteCoordinates: Migration = {
  id: 'scan-0006-note-coordinates',
  up: `
    alter table cloud add column unit text not null default 'FILE';
    alter table cloud add column contents jsonb not null default '[]';
  `,
};
