import type { Migration } from '#core/server';

export const createMarker: Migration = {
  id: 'vr-0001-create-marker',
  up: `
    create table marker (
      uid text primary key,
      location text not null,
      tour text not null,
      kind text not null check (kind in ('TAG', 'HOTSPOT', 'DOCUMENT', 'NOTE')),
      shape text not null check (shape in ('POINT', 'POLYGON')),
      name text not null,
      text text not null,
      points jsonb not null,
      target text,
      file text,
      seen_from jsonb not null,
      author text not null,
      author_name text not null,
      version integer not null,
      updated_at timestamptz not null
    );
    create index marker_tour on marker (tour, name);

    create table document (
      file text primary key,
      location text not null,
      uploaded_at timestamptz not null default now()
    );
  `,
};
