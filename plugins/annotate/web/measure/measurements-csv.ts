import { formatIsoAt, fromMetres, fromSquareMetres, type LengthUnit } from '#core';
import type { Measurement } from '#plugins/annotate';

const columns = [
  'name',
  'kind',
  'value',
  'sigma',
  'unit',
  'nps',
  'dn',
  'points',
  'node',
  'location',
  'author',
  'created',
  'time_zone',
  'shared',
] as const;

/**
 * The measurements as RFC 4180 CSV: one row each, numbers with a point and all their digits, points as `x y z` in
 * metres of the site frame, divided by `;`. Dates are those of the site (ISO 8601 with its offset), whose zone stands
 * beside them. A byte order mark tells spreadsheets that it is UTF-8.
 *
 * @param timeZoneAt IANA name of the zone at a location (uid)
 */
export function measurementsCsv(
  measurements: readonly Measurement[],
  unit: LengthUnit,
  timeZoneAt: (location: string) => string,
): string {
  const rows = measurements.map(({ name, kind, result, points, node, location, author, createdAt, shared }) => {
    const inUnit = (value: number | null): number | '' =>
      value === null
        ? ''
        : kind === 'ANGLE'
          ? value
          : kind === 'AREA'
            ? fromSquareMetres(value, unit)
            : fromMetres(value, unit);
    const symbol = kind === 'ANGLE' ? 'deg' : kind === 'AREA' ? `${unit}2` : unit;
    const { nps = '', dn = '' } = result.details;
    return [
      name,
      kind,
      inUnit(result.value),
      inUnit(result.sigma),
      symbol,
      nps,
      dn,
      points.map(({ point }) => point.join(' ')).join('; '),
      node ?? '',
      location,
      author,
      formatIsoAt(createdAt, timeZoneAt(location)),
      timeZoneAt(location),
      shared,
    ];
  });
  return `\uFEFF${[columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** Quoted where it has to be; a text that a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value: string | number | boolean): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
