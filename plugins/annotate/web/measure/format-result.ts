import {
  areaUnitSymbol,
  formatArea,
  formatLength,
  formatNumber,
  fromMetres,
  fromSquareMetres,
  lengthUnitSymbols,
  toMetres,
  type Language,
  type LengthUnit,
  type Point3,
  type SiteRecord,
} from '#core';
import type { Measurement, MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';

export interface ResultStyle {
  readonly language: Language;
  readonly unit: LengthUnit;
}

/** Digits that stand for a tenth of a millimetre: an uncertainty is read in those. */
const fineDecimals: Readonly<Record<LengthUnit, number>> = { m: 4, cm: 2, mm: 1, ft: 4, in: 3, yd: 4, ftUS: 4 };
const fineAreaDecimals: Readonly<Record<LengthUnit, number>> = { m: 4, cm: 0, mm: 0, ft: 3, in: 1, yd: 4, ftUS: 3 };
/** Diameters are read in millimetres, as pipes are named; in inches where lengths are imperial. */
const diameterUnits: Readonly<Record<LengthUnit, LengthUnit>> = {
  m: 'mm',
  cm: 'mm',
  mm: 'mm',
  ft: 'in',
  in: 'in',
  yd: 'in',
  ftUS: 'in',
};
/** Where the standard deviation is not known: as the table of pipes has them. */
const nominalDecimals: Readonly<Partial<Record<LengthUnit, number>>> = { mm: 1, in: 3 };

/**
 * The figure of a measurement with its unit and, where it is known, its standard deviation, both to the same digit:
 * 1.235 m ± 2.8 mm reads `1.2350 ± 0.0028 m`. A height has no sign, a diameter as many decimals as its deviation
 * allows.
 */
export function formatResult(
  kind: MeasurementKind,
  points: readonly StoredPoint[],
  { value, sigma }: MeasurementResult,
  { language, unit }: ResultStyle,
): string {
  const first = points[0];
  if (kind === 'CORDINATES') return first ? formatCoordinates(first.point, { language, unit }) : '';
  if (value === null) return '';
  if (kind === 'ANGLE')
    return withSigma(
      formatNumber(value, { language, decimals: 2, fixed: sigma !== null }),
      sigma === null ? undefined : formatNumber(sigma, { language, decimals: 2, fixed: true }),
      '°',
      '',
    );
  if (kind === 'AREA') {
    if (sigma === null) return formatArea(value, unit, { language });
    return withSigma(
      formatNumber(fromSquareMetres(value, unit), { language, decimals: fineAreaDecimals[unit], fixed: true }),
      formatNumber(fromSquareMetres(sigma, unit), { language, decimals: fineAreaDecimals[unit], fixed: true }),
      areaUnitSymbol(unit),
    );
  }
  if (kind === 'DIAMETER') return formatDiameter(value, sigma, { language, unit });
  const decimals = fineDecimals[unit];
  const length = kind === 'HEIGHT' ? Math.abs(value) : value;
  if (sigma === null) return formatLength(length, unit, { language });
  return withSigma(
    formatNumber(fromMetres(length, unit), { language, decimals, fixed: true }),
    formatNumber(fromMetres(sigma, unit), { language, decimals, fixed: true }),
    lengthUnitSymbols[unit],
  );
}

function formatDiameter(value: number, sigma: number | null, { language, unit: read }: ResultStyle): string {
  const unit = diameterUnits[read];
  const spread = sigma === null ? undefined : fromMetres(sigma, unit);
  const most = (nominalDecimals[unit] ?? 0) + 1;
  // The first digit of the deviation is the last of the figure.
  const decimals =
    spread === undefined ? most - 1 : Math.min(most, Math.max(0, Math.ceil(-Math.log10(spread || Number.MIN_VALUE))));
  const one = (length: number): string => formatNumber(length, { language, decimals, fixed: true });
  return withSigma(
    one(fromMetres(value, unit)),
    spread === undefined ? undefined : one(spread),
    lengthUnitSymbols[unit],
  );
}

/** East, north and up in one unit: `E 12.300 N 6.789 Z 1.234 m`. */
export function formatCoordinates([x, y, z]: Point3, { language, unit }: ResultStyle): string {
  const one = (metres: number): string =>
    formatNumber(fromMetres(metres, unit), { language, decimals: Math.max(0, fineDecimals[unit] - 1), fixed: true });
  return `E\u00a0${one(x)} N\u00a0${one(y)} Z\u00a0${one(z)}\u00a0${lengthUnitSymbols[unit]}`;
}

/**
 * A length that belongs to a measurement, such as its vertical part: in millimetres of the figure, always as many
 * digits.
 */
export function formatPart(metres: number, { language, unit }: ResultStyle): string {
  return `${formatNumber(fromMetres(metres, unit), { language, decimals: Math.max(0, fineDecimals[unit] - 1), fixed: true })}\u00a0${lengthUnitSymbols[unit]}`;
}

/**
 * What the heights of a site count from: its vertical datum, and how high above it the site's own zero lies. Empty
 * where the datum is unknown.
 */
export function formatDatum(
  { verticalDatum, frame }: SiteRecord,
  style: ResultStyle,
  t: (id: string, values: Readonly<Record<string, string>>) => string,
): string {
  if (verticalDatum === null) return '';
  return frame.origin.up === 0
    ? t('annotate.detail.datum', { datum: verticalDatum })
    : t('annotate.detail.datumOfZero', {
        datum: verticalDatum,
        height: formatLength(toMetres(frame.origin.up, frame.unit), style.unit, { language: style.language }),
      });
}

/**
 * A measurement beside a picture, one line each: its figure, the nearest size of a pipe, and of coordinates what their
 * height counts from.
 */
export function formatMark(
  { kind, points, result }: Pick<Measurement, 'kind' | 'points' | 'result'>,
  site: SiteRecord,
  style: ResultStyle,
  t: (id: string, values: Readonly<Record<string, string | number>>) => string,
): string {
  const { nps, dn } = result.details;
  return [
    formatResult(kind, points, result, style),
    typeof nps === 'string' ? t('annotate.detail.nominal', { nps, dn: Number(dn) }) : '',
    kind === 'CORDINATES' ? formatDatum(site, style, t) : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function withSigma(value: string, sigma: string | undefined, symbol: string, gap = '\u00a0'): string {
  return sigma === undefined ? value + gap + symbol : `${value}\u00a0±\u00a0${sigma}${gap}${symbol}`;
}
