import type { Migration } from '#core/server';

export const keepRefusals: Migration = {
  id: 'scan-0005-keep-refusals',
  up: `
    alter table cloud add column refusal jsonb;
  `,
};
