import type { Migration } from '#core/server';

/** Staged only to be counted, and deleted then: nobody may apply it. */
export const markDryRuns: Migration = {
  id: 'imports-0010-mark-dry-runs',
  up: 'alter table batch add column dry_run boolean not null default false;',
};
