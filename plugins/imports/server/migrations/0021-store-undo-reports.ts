import type { Migration } from '#core/server';

/** What the undo of an import kept or could not restore, which was shown only once before. */
export const storeUndoReports: Migration = {
  id: 'imports-0021-store-undo-reports',
  up: `
    alter table batch add column partial_undo text;
    create table undo_report (
      batch text primary key references batch (uid) on delete cascade,
      report jsonb not null
    );
  `,
};
