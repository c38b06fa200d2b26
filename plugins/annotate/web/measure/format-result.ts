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
import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';

export interface ResultStyle {
  readonly language: Language;
  readonly unit: LengthUnit;
}

/** Digits that stand for a tenth of a millimetre: an uncertainty is read in those. */
const fineDecimals: Readonly<Record<LengthUnit, number>> = { m: 4, cm: 2, mm: 1, ft: 4, in: 3, yd: 4, ftUS: 4 };
const fineAreaDecimals: Readonly<Record<LengthUnit, number>> = { m: 4, cm: 0, mm: 0, ft: 3, in: 1, yd: 4, ftUS: 3 };
/** A diameter is told to a tenth of a millimetre, as the table of pipes is. */
const fine = new Set<MeasurementKind>(['DIAMETER']);

/**
 * The figure of a measurement with its unit and, where it is known, its standard deviation, both to the same digit:
 * 1.235 m ± 2.8 mm reads `1.2350 ± 0.0028 m`.
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
  const decimals = fineDecimals[unit];
  if (sigma === null)
    return fine.has(kind) ? formatLength(value, unit, { language, decimals }) : formatLength(value, unit, { language });
  return withSigma(
    formatNumber(fromMetres(value, unit), { language, decimals, fixed: true }),
    formatNumber(fromMetres(sigma, unit), { language, decimals, fixed: true }),
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

function withSigma(value: string, sigma: string | undefined, symbol: string, gap = '\u00a0'): string {
  return sigma === undefined ? value + gap + symbol : `${value}\u00a0±\u00a0${sigma}${gap}${symbol}`;
}
