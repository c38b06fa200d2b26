import { formatIsoAt, fromMetres, type LengthUnit } from '#core';
import { fromSquareMetres } from '../areas.ts';
import type { Measurement, MeasurementResult } from '#plugins/annotate';
import { roundToSigma } from '../../../common/round-to-sigma.ts';

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

/** The number of decimals: more than on screen, for programs that convert the units. */
const maxDecimals = 6;

/**
 * Formats measurements as RFC 4180 CSV with a byte order mark. Values have a decimal point and the digits that their
 * uncertainty allows. Points are `x y z` in metres of the site frame, separated by `;`. Dates are ISO 8601 in the time
 * zone of the site.
 *
 * @param timeZoneAt returns the IANA name of the time zone of a location
 */
export function formatMeasurementsCsv(
  measurements: readonly Measurement[],
  unit: LengthUnit,
  timeZoneAt: (location: string) => string,
): string {
  const rows = measurements.map(({ name, kind, result, points, node, location, author, createdAt, shared }) => {
    const toUnit = (value: number): number =>
      kind === 'ANGLE' ? value : kind === 'AREA' ? fromSquareMetres(value, unit) : fromMetres(value, unit);
    const { value, sigma } = roundValue(result, toUnit);
    const symbol = kind === 'ANGLE' ? 'deg' : kind === 'AREA' ? `${unit}2` : unit;
    const { nps = '', dn = '' } = result.details;
    return [
      name,
      kind,
      value,
      sigma,
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
  return `\uFEFF${[columns, ...rows].map((row) => row.map(formatCell).join(',')).join('\r\n')}\r\n`;
}

function roundValue(
  { value, sigma }: MeasurementResult,
  toUnit: (value: number) => number,
): { readonly value: number | ''; readonly sigma: number | '' } {
  if (value !== null && sigma !== null) return roundToSigma(toUnit(value), toUnit(sigma), maxDecimals);
  return { value: value === null ? '' : toUnit(value), sigma: sigma === null ? '' : toUnit(sigma) };
}

/** Quotes a cell if needed. A text that a spreadsheet would run as a formula is prefixed by an apostrophe. */
function formatCell(value: string | number | boolean): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
