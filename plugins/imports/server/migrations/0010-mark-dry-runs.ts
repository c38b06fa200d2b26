import type { Migration } from '#core/server';

/** Marks imports that are staged only to count their rows, and then deleted. Nobody may apply them. */
export const markDryRuns: Migration = {
  id: 'imports-0010-mark-dry-runs',
  up: 'alter table batch add column dry_run boolean not null default false;',
};
