import type { Migration } from '#core/server';

export const createSiteImports: Migration = {
  id: 'imports-0008-create-site-imports',
  up: `
    create table site_import (
      uid text primary key,
      author text not null,
      file text,
      file_name text not null,
      bytes bigint not null,
      phase text not null,
      job text,
      site text,
      site_name text,
      refusal jsonb,
      restarted boolean not null default false,
      contents jsonb not null default '[]',
      created_at timestamptz not null
    );
    create index site_import_author on site_import (author, created_at desc);
  `,
};
