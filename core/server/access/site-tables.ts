import type { Selectable } from 'kysely';
import type { SiteRecord, SiteUnit } from '#core';

export interface SiteTable {
  /** uid of the root location. */
  location: string;
  time_zone: string;
  /** EPSG code; null means local. */
  crs: number | null;
  origin_east: number;
  origin_north: number;
  origin_up: number;
  rotation: number;
  unit: SiteUnit;
  vertical_datum: string | null;
  updated_at: Date;
}

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
