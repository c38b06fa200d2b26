import type { Migration } from '#core/server';

export const createItems: Migration = {
  id: 'annotate-0001-create-items',
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

    create table annotation (
      uid uuid primary key,
      location text not null,
      tour text not null,
      node text,
      kind text not null
        check (kind in ('CORDINATES', 'TEMPERATURE', 'DISTANCE', 'TEXT_LABEL', 'ARROW', 'RECTANGLE', 'ELLIPSE')),
      name text not null,
      text text not null,
      temperature double precision,
      status text not null check (status in ('OPEN', 'DONE')),
      points jsonb not null,
      view text,
      shared boolean not null,
      author text not null,
      author_name text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      version integer not null
    );
    create index annotation_location on annotation (location, created_at desc);
    create table annotation_comment (
      uid uuid primary key,
      annotation uuid not null references annotation (uid) on delete cascade,
      text text not null,
      author text not null,
      author_name text not null,
      created_at timestamptz not null
    );
    create index annotation_comment_annotation on annotation_comment (annotation, created_at);

    create table snapshot (
      uid uuid primary key,
      location text not null,
      tour text not null,
      node text,
      tag text,
      name text not null,
      text text not null,
      marks jsonb not null,
      view text,
      shared boolean not null,
      picture text,
      author text not null,
      author_name text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      version integer not null
    );
    create index snapshot_location on snapshot (location, created_at desc);
    create unique index snapshot_picture on snapshot (picture);
  `,
};
