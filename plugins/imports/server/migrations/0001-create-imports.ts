import type { Migration } from '#core/server';

export const createImports: Migration = {
  id: 'imports-0001-create-imports',
  up: `
    create table batch (
      uid text primary key,
      kind text not null,
      site text,
      locations text[] not null default '{}',
      mode text not null check (mode in ('UPSERT', 'REPLACE')),
      phase text not null,
      result text check (result in ('SUCCESS', 'FAILED', 'WARNING')),
      refusal jsonb,
      version integer not null default 1,
      job text,
      author text not null,
      author_name text not null,
      created_at timestamptz not null,
      finished_at timestamptz,
      change text,
      undone_at timestamptz,
      backup boolean not null default false,
      api boolean not null default false,
      findings jsonb not null default '[]',
      counts jsonb not null default '{}'
    );
    create index batch_created on batch (created_at desc, uid);

    create table file (
      batch text not null references batch on delete cascade,
      name text not null,
      position integer not null,
      file text not null,
      media_type text not null,
      bytes bigint not null,
      primary key (batch, name)
    );

    create table download (
      file text primary key,
      author text not null,
      created_at timestamptz not null
    );

    create table sheet (
      batch text not null references batch on delete cascade,
      sheet text not null,
      present boolean not null,
      headers jsonb not null,
      primary key (batch, sheet)
    );

    create table staged_row (
      id bigint generated always as identity primary key,
      batch text not null references batch on delete cascade,
      sheet text not null,
      number integer,
      cells jsonb not null,
      edits jsonb not null default '{}',
      values jsonb not null default '{}',
      key text,
      before jsonb,
      state text not null default 'ADDED'
    );
    create index staged_row_place on staged_row (batch, sheet, number);
    create index staged_row_key on staged_row (batch, sheet, key);

    create table finding (
      batch text not null references batch on delete cascade,
      row bigint not null references staged_row on delete cascade,
      sheet text not null,
      column_id text,
      message text not null,
      values jsonb,
      severity text not null check (severity in ('ERROR', 'WARNING')),
      checked boolean not null
    );
    create index finding_row on finding (row);
    create index finding_batch on finding (batch, checked);

    create table header_choice (
      kind text not null,
      sheet text not null,
      header text not null,
      column_id text,
      primary key (kind, sheet, header)
    );
    create table value_choice (
      kind text not null,
      sheet text not null,
      column_id text not null,
      written text not null,
      value text not null,
      primary key (kind, sheet, column_id, written)
    );
  `,
};
