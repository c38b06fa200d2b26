import type { Migration } from '#core/server';

export const countTiles: Migration = {
  id: 'model-3d-0003-count-tiles',
  up: `
    alter table model add column tiles integer not null default 0;
  `,
};
