import type { Migration } from '#core/server';

/**
 * The product's rows while an import is compared with them. They are computed again after a crash, and deleted after
 * the comparison, so that a foreign key would cost time for nothing.
 */
export const storeCurrentRows: Migration = {
  id: 'imports-0018-store-current-rows',
  up: `
    create unlogged table current_row (batch text not null, sheet text not null, key text, values jsonb not null);
    alter table current_row alter column values set statistics 0;
  `,
};
