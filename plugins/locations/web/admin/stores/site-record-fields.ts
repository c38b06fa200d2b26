import {
  findFirstError,
  integer,
  mandatory,
  max,
  maxEpsgCode,
  maxLength,
  min,
  minEpsgCode,
  number,
  timeZoneName,
  type Rule,
  type SiteRecord,
  type SiteUnit,
  type ValidationError,
} from '#core';

/** The record of a site as form values, with the paths of the record so that refusals appear at their fields. */
export interface SiteRecordFields {
  timeZone: string;
  crsKind: 'local' | 'epsg';
  frame: {
    crs: number | undefined;
    origin: { east: number; north: number; up: number };
    rotation: number;
    unit: SiteUnit;
  };
  verticalDatum: string;
}

const maxCoordinate = 1e8;
const coordinate: readonly Rule<number>[] = [mandatory, number, min(-maxCoordinate), max(maxCoordinate)];

/** Rules of the form, by field. */
export const siteRecordFieldRules = {
  timeZone: [mandatory, timeZoneName],
  'frame.crs': [],
  'frame.origin.east': coordinate,
  'frame.origin.north': coordinate,
  'frame.origin.up': coordinate,
  'frame.rotation': [mandatory, number, min(-180), max(180)] as readonly Rule<number>[],
  verticalDatum: [maxLength(80)],
};

const epsgRules: readonly Rule[] = [mandatory, number, integer, min(minEpsgCode), max(maxEpsgCode)];

/** A code is necessary only for a CRS of the EPSG register. */
export function validateCrs({ crsKind, frame }: SiteRecordFields): { readonly 'frame.crs'?: ValidationError } {
  const error = crsKind === 'epsg' ? findFirstError(frame.crs as unknown, epsgRules) : undefined;
  return error ? { 'frame.crs': error } : {};
}

export function toSiteRecordFields({ timeZone, frame, verticalDatum }: SiteRecord): SiteRecordFields {
  return {
    timeZone,
    crsKind: frame.crs === 'local' ? 'local' : 'epsg',
    frame: { ...frame, crs: frame.crs === 'local' ? undefined : frame.crs, origin: { ...frame.origin } },
    verticalDatum: verticalDatum ?? '',
  };
}

export function toSiteRecord({ timeZone, crsKind, frame, verticalDatum }: SiteRecordFields): SiteRecord {
  const datum = verticalDatum.trim();
  return {
    timeZone: timeZone.trim(),
    frame: {
      ...frame,
      crs: crsKind === 'local' || frame.crs === undefined ? 'local' : frame.crs,
      // Both are the same direction, and the record is above -180.
      rotation: frame.rotation === -180 ? 180 : frame.rotation,
    },
    verticalDatum: datum === '' ? null : datum,
  };
}

/** A value of the record that changes independently of the others. */
export const siteRecordValues = ['timeZone', 'crs', 'unit', 'east', 'north', 'up', 'rotation', 'datum'] as const;

export type SiteRecordValue = (typeof siteRecordValues)[number];

export const toSiteRecordValues = ({
  timeZone,
  frame: { crs, origin, rotation, unit },
  verticalDatum,
}: SiteRecord): Readonly<Record<SiteRecordValue, string | number | null>> => ({
  timeZone,
  crs,
  unit,
  east: origin.east,
  north: origin.north,
  up: origin.up,
  rotation,
  datum: verticalDatum,
});

/** The values in which two records differ. */
export function listDifferingValues(record: SiteRecord, other: SiteRecord): readonly SiteRecordValue[] {
  const [values, otherValues] = [toSiteRecordValues(record), toSiteRecordValues(other)];
  return siteRecordValues.filter((value) => !Object.is(values[value], otherValues[value]));
}
