import type { Migration } from '#core/server';

/** Whether `station.node` is what an admin chose, null for none; else the nearest node is looked up. */
export const tieStations: Migration = {
  id: 'scan-0004-tie-stations',
  up: `
    alter table station add column tie text not null default 'NEAREST' check (tie in ('NEAREST', 'CHOSEN'));
  `,
};
