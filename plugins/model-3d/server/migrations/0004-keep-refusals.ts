import type { Migration } from '#core/server';

export const keepRefusals: Migration = {
  id: 'model-3d-0004-keep-refusals',
  up: `
    alter table model add column refusal jsonb;
  `,
};
