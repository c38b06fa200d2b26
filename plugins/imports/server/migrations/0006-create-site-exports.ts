import type { Migration } from '#core/server';

export const createSiteExports: Migration = {
  id: 'imports-0006-create-site-exports',
  up: `
    create table site_export (
      uid text primary key,
      site text not null,
      site_name text not null,
      language text not null,
      author text not null,
      job text,
      cancelled boolean not null default false,
      refusal jsonb,
      file text,
      file_name text,
      bytes bigint,
      contents jsonb not null default '[]',
      created_at timestamptz not null,
      finished_at timestamptz
    );
    create index site_export_author on site_export (author, created_at desc);
  `,
};
