import type { Selectable } from 'kysely';
import type { SiteRecord, SiteUnit } from '#core';
import type { Migration } from '../database/migration.ts';

export interface SiteTable {
  /** uid of the root location. */
  location: string;
  time_zone: string;
  /** EPSG code; null: local. */
  crs: number | null;
  origin_east: number;
  origin_north: number;
  origin_up: number;
  rotation: number;
  unit: SiteUnit;
  vertical_datum: string | null;
  updated_at: Date;
}

export const siteMigrations: readonly Migration[] = [
  {
    id: 'access-0004-site',
    up: `
      create table site (
        location text primary key references location on delete cascade,
        time_zone text not null,
        crs integer check (crs between 1024 and 32766),
        origin_east double precision not null check (origin_east between -1e8 and 1e8),
        origin_north double precision not null check (origin_north between -1e8 and 1e8),
        origin_up double precision not null check (origin_up between -1e8 and 1e8),
        rotation double precision not null check (rotation > -180 and rotation <= 180),
        unit text not null check (unit in ('m', 'ft', 'ftUS')),
        vertical_datum text,
        updated_at timestamptz not null
      );
    `,
  },
];

type RecordColumns = Omit<Selectable<SiteTable>, 'location' | 'updated_at'>;

export function toSiteRecord(row: RecordColumns): SiteRecord {
  return {
    timeZone: row.time_zone,
    frame: {
      crs: row.crs ?? 'local',
      origin: { east: row.origin_east, north: row.origin_north, up: row.origin_up },
      rotation: row.rotation,
      unit: row.unit,
    },
    verticalDatum: row.vertical_datum,
  };
}

export function fromSiteRecord({ timeZone, frame, verticalDatum }: SiteRecord): RecordColumns {
  return {
    time_zone: timeZone,
    crs: frame.crs === 'local' ? null : frame.crs,
    origin_east: frame.origin.east,
    origin_north: frame.origin.north,
    origin_up: frame.origin.up,
    rotation: frame.rotation,
    unit: frame.unit,
    vertical_datum: verticalDatum,
  };
}
