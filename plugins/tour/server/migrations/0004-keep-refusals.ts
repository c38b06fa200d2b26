import type { Migration } from '#core/server';

export const keepRefusals: Migration = {
  id: 'tour-0004-keep-refusals',
  up: `
    alter table incoming add column refusal jsonb;
  `,
};
