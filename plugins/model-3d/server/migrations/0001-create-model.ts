import type { Migration } from '#core/server';

/**
 * `model_object` contains the objects of the published version, and `mapping` their mappings by admins. `target` is the
 * uid of a tag or a node. If it is null, the object has no tag, even if the file states one.
 */
export const createModel: Migration = {
  id: 'model-3d-0001-create-model',
  up: `
    create table model (
      uid text primary key,
      location text not null,
      name text not null,
      version integer not null,
      state text not null check (state in ('IMPORTING', 'READY', 'FAILED')),
      message text,
      refusal jsonb,
      file text,
      tiles integer not null default 0,
      bytes bigint not null,
      objects integer not null,
      bounds jsonb,
      pose jsonb not null,
      report jsonb,
      job text,
      updated_at timestamptz not null default now()
    );
    create index model_location on model (location, name);

    create table model_object (
      model text not null references model on delete cascade,
      position integer not null,
      key text not null,
      name text not null,
      within jsonb not null,
      tag text,
      search text not null,
      primary key (model, position)
    );

    create table mapping (
      model text not null references model on delete cascade,
      object text not null,
      kind text not null check (kind in ('TAG', 'NODE')),
      target text check (target is not null or kind = 'TAG'),
      primary key (model, object, kind)
    );
  `,
};
