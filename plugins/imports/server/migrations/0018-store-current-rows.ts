import type { Migration } from '#core/server';

/** The product's rows while an import is compared with them. Their content is computed again after a crash. */
export const storeCurrentRows: Migration = {
  id: 'imports-0018-store-current-rows',
  up: `
    create unlogged table current_row (
      batch text not null references batch on delete cascade,
      sheet text not null,
      key text,
      values jsonb not null
    );
    create index current_row_key on current_row (batch, sheet, key);
  `,
};
