import {
  formatLength,
  formatNumber,
  fromMetres,
  lengthUnitSymbols,
  toMetres,
  type Language,
  type LengthUnit,
  type Point3,
  type SiteRecord,
} from '#core';
import { getAreaUnitSymbol, formatArea, fromSquareMetres } from '../areas.ts';
import type { Measurement, MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';
import { roundToSigma } from '../../../common/round-to-sigma.ts';

export interface ResultStyle {
  readonly language: Language;
  readonly unit: LengthUnit;
}

/** Numbers of decimals that show a tenth of a millimetre, the smallest uncertainty on screen. */
const fineDecimals: Readonly<Record<LengthUnit, number>> = { m: 4, cm: 2, mm: 1, ft: 4, in: 3, yd: 4, ftUS: 4 };
const fineAreaDecimals: Readonly<Record<LengthUnit, number>> = { m: 4, cm: 0, mm: 0, ft: 3, in: 1, yd: 4, ftUS: 3 };
const angleDecimals = 2;
/** Diameters are shown in millimetres, as in tables of pipes, or in inches if lengths are imperial. */
const diameterUnits: Readonly<Record<LengthUnit, LengthUnit>> = {
  m: 'mm',
  cm: 'mm',
  mm: 'mm',
  ft: 'in',
  in: 'in',
  yd: 'in',
  ftUS: 'in',
};
/** Numbers of decimals of a diameter without standard deviation, as in tables of pipes. */
const nominalDecimals: Readonly<Partial<Record<LengthUnit, number>>> = { mm: 1, in: 3 };

/**
 * Formats the value of a measurement with its unit and, if known, its standard deviation, rounded by
 * `roundToSigma`: 1.0747 m ± 21.2 mm becomes `1.075 ± 0.021 m`. A height has no sign.
 */
export function formatResult(
  kind: MeasurementKind,
  points: readonly StoredPoint[],
  { value, sigma }: MeasurementResult,
  { language, unit }: ResultStyle,
): string {
  const firstPoint = points[0];
  if (kind === 'CORDINATES') return firstPoint ? formatCoordinates(firstPoint.point, { language, unit }) : '';
  if (value === null) return '';
  if (kind === 'ANGLE')
    return sigma === null
      ? `${formatNumber(value, { language, decimals: angleDecimals })}°`
      : `${formatWithSigma(value, sigma, { language, maxDecimals: angleDecimals })}°`;
  if (kind === 'AREA')
    return sigma === null
      ? formatArea(value, unit, { language })
      : appendUnit(
          formatWithSigma(fromSquareMetres(value, unit), fromSquareMetres(sigma, unit), {
            language,
            maxDecimals: fineAreaDecimals[unit],
          }),
          getAreaUnitSymbol(unit),
        );
  if (kind === 'DIAMETER') return formatDiameter(value, sigma, { language, unit });
  const length = kind === 'HEIGHT' ? Math.abs(value) : value;
  return sigma === null
    ? formatLength(length, unit, { language })
    : formatLengthWithSigma(length, sigma, unit, { language, maxDecimals: fineDecimals[unit] });
}

function formatDiameter(value: number, sigma: number | null, { language, unit: lengthUnit }: ResultStyle): string {
  const unit = diameterUnits[lengthUnit];
  const decimals = nominalDecimals[unit] ?? 0;
  return sigma === null
    ? appendUnit(formatNumber(fromMetres(value, unit), { language, decimals, fixed: true }), lengthUnitSymbols[unit])
    : formatLengthWithSigma(value, sigma, unit, { language, maxDecimals: decimals + 1 });
}

interface SigmaStyle {
  readonly language: Language;
  readonly maxDecimals: number;
}

function formatWithSigma(value: number, sigma: number, { language, maxDecimals }: SigmaStyle): string {
  const { decimals, ...rounded } = roundToSigma(value, sigma, maxDecimals);
  const format = (number: number): string => formatNumber(number, { language, decimals, fixed: true });
  return `${format(rounded.value)}\u00a0±\u00a0${format(rounded.sigma)}`;
}

const formatLengthWithSigma = (metres: number, sigma: number, unit: LengthUnit, style: SigmaStyle): string =>
  appendUnit(formatWithSigma(fromMetres(metres, unit), fromMetres(sigma, unit), style), lengthUnitSymbols[unit]);

const appendUnit = (text: string, symbol: string): string => `${text}\u00a0${symbol}`;

/** Formats east, north and up in one unit, such as `E 12.300 N 6.789 Z 1.234 m`. */
export function formatCoordinates([x, y, z]: Point3, { language, unit }: ResultStyle): string {
  const format = (metres: number): string =>
    formatNumber(fromMetres(metres, unit), { language, decimals: Math.max(0, fineDecimals[unit] - 1), fixed: true });
  return `E\u00a0${format(x)} N\u00a0${format(y)} Z\u00a0${format(z)}\u00a0${lengthUnitSymbols[unit]}`;
}

/**
 * Formats a length that is part of a measurement, such as its vertical part. The length is rounded to millimetres, or
 * to fewer decimals if the standard deviation of the measurement (in metres) is larger.
 */
export function formatPartialLength(
  metres: number,
  { language, unit }: ResultStyle,
  sigma: number | null = null,
): string {
  const maxDecimals = Math.max(0, fineDecimals[unit] - 1);
  const length = fromMetres(metres, unit);
  const { value, decimals } =
    sigma === null
      ? { value: length, decimals: maxDecimals }
      : roundToSigma(length, fromMetres(sigma, unit), maxDecimals);
  return appendUnit(formatNumber(value, { language, decimals, fixed: true }), lengthUnitSymbols[unit]);
}

/**
 * Formats the reference of a site's heights: its vertical datum and, unless zero, the height of the site origin above
 * the datum. Empty if the datum is unknown.
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
 * Formats a measurement for a snapshot, with a line for its value, the nearest pipe size of a diameter, and the
 * vertical datum of coordinates.
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
