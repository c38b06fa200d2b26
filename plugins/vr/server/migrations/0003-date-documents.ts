import type { Migration } from '#core/server';

/** A document that no marker took is removed after a while. */
export const dateDocuments: Migration = {
  id: 'vr-0003-date-documents',
  up: 'alter table document add column uploaded_at timestamptz not null default now()',
};
