import type { Migration } from '#core/server';

export const createMeasurement: Migration = {
  id: 'annotate-0001-create-measurement',
  up: `
    create table measurement (
      uid uuid primary key,
      location text not null,
      tour text not null,
      node text,
      kind text not null check (kind in ('DISTANCE', 'ANGLE', 'CORDINATES', 'DIAMETER', 'HEIGHT', 'AREA')),
      name text not null,
      points jsonb not null,
      result jsonb not null,
      unit text not null,
      view text,
      shared boolean not null,
      author text not null,
      author_name text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      version integer not null
    );
    create index measurement_location on measurement (location, created_at desc);
  `,
};
