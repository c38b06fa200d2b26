import type { Migration } from '#core/server';

/**
 * `station.node` is the uid of a node. `station.link` tells whether an admin chose that node (or none, if it is null).
 * `cloud.unit` is the unit chosen at the import. `cloud.contents` describes the points of each of `source_files`.
 */
export const createScan: Migration = {
  id: 'scan-0001-create-scan',
  up: `
    create table cloud (
      uid text primary key,
      name text not null,
      location text not null,
      captured_at timestamptz,
      kind text not null check (kind in ('TILES', 'COPC')),
      source_files jsonb not null,
      data_file text,
      extent jsonb,
      place jsonb not null,
      job text,
      message text,
      refusal jsonb,
      stations jsonb not null,
      unit text not null default 'FILE',
      contents jsonb not null default '[]',
      created_at timestamptz not null default now()
    );
    create index cloud_location on cloud (location);

    create table station (
      uid text primary key,
      name text not null,
      node text,
      link text not null default 'NEAREST' check (link in ('NEAREST', 'CHOSEN')),
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
      ranges jsonb,
      delivery text
    );
    create index station_location on station (location);
    create index station_delivery on station (delivery);

    create table token (
      location text primary key,
      expires_at timestamptz not null,
      set_by text not null,
      set_at timestamptz not null default now()
    );
  `,
};
