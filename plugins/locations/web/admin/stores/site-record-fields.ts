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

/** Requires an EPSG code if the CRS is not a local grid. */
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
      // -180° and 180° are the same direction. The record allows only 180°.
      rotation: frame.rotation === -180 ? 180 : frame.rotation,
    },
    verticalDatum: datum === '' ? null : datum,
  };
}

/** The values of the record that change independently of each other. */
export const siteRecordKeys = ['timeZone', 'crs', 'unit', 'east', 'north', 'up', 'rotation', 'datum'] as const;

export type SiteRecordKey = (typeof siteRecordKeys)[number];

export const toSiteRecordValues = ({
  timeZone,
  frame: { crs, origin, rotation, unit },
  verticalDatum,
}: SiteRecord): Readonly<Record<SiteRecordKey, string | number | null>> => ({
  timeZone,
  crs,
  unit,
  east: origin.east,
  north: origin.north,
  up: origin.up,
  rotation,
  datum: verticalDatum,
});

/** Lists the values in which two records differ. */
export function listDifferingKeys(record: SiteRecord, other: SiteRecord): readonly SiteRecordKey[] {
  const [values, otherValues] = [toSiteRecordValues(record), toSiteRecordValues(other)];
  return siteRecordKeys.filter((key) => !Object.is(values[key], otherValues[key]));
}
