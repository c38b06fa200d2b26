import type { Migration } from '#core/server';

export const followImports: Migration = {
  id: 'imports-0009-follow-imports',
  up: `
    alter table batch add column follows text;
    create index batch_follows on batch (follows) where follows is not null;
  `,
};
