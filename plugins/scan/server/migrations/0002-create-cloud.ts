import type { Migration } from '#core/server';

export const createCloud: Migration = {
  id: 'scan-0002-create-cloud',
  up: `
    create table cloud (
      code text primary key,
      name text not null,
      location text not null,
      captured_at timestamptz,
      kind text not null check (kind in ('TILES', 'COPC')),
      source_files jsonb not null,
      data_file text,
      extent jsonb,
      created_at timestamptz not null default now()
    );
    create index cloud_location on cloud (location);
  `,
};
