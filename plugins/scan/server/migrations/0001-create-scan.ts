import type { Migration } from '#core/server';

export const createScan: Migration = {
  id: 'scan-0001-create-scan',
  up: `
    create table station (
      code text primary key,
      name text not null,
      node text,
      location text not null,
      x double precision not null,
      y double precision not null,
      z double precision not null,
      heading double precision not null,
      captured_at timestamptz not null,
      range_file text not null,
      sigma double precision not null check (sigma >= 0),
      panorama_file text,
      tiles_file text,
      pyramid jsonb,
      ranges jsonb
    );
    create index station_location on station (location);

    create table token (
      location text primary key,
      expires_at timestamptz not null,
      set_by text not null,
      set_at timestamptz not null default now()
    );
  `,
};
