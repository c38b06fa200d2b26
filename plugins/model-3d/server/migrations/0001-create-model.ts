import type { Migration } from '#core/server';

export const createModel: Migration = {
  id: 'model-3d-0001-create-model',
  up: `
    create table model (
      id text primary key,
      location text not null,
      name text not null,
      version integer not null,
      state text not null check (state in ('IMPORTING', 'READY', 'FAILED')),
      message text,
      file text,
      bytes bigint not null,
      objects integer not null,
      bounds jsonb,
      pose jsonb not null,
      report jsonb,
      updated_at timestamptz not null default now()
    );
    create index model_location on model (location, name);

    create table mapping (
      model text not null references model on delete cascade,
      object text not null,
      kind text not null check (kind in ('TAG', 'NODE')),
      value text not null,
      primary key (model, object, kind)
    );
  `,
};
