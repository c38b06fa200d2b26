import { formatNumber, fromMetres, lengthUnitSymbols, type Language, type LengthUnit } from '#core';

/** Square metres per square of a unit. */
export const fromSquareMetres = (squareMetres: number, unit: LengthUnit): number =>
  fromMetres(fromMetres(squareMetres, unit), unit);

/** Symbol of the square of a unit. */
export const areaUnitSymbol = (unit: LengthUnit): string => `${lengthUnitSymbols[unit]}²`;

/** Decimals that resolve some square centimetres. */
const defaultDecimals: Readonly<Record<LengthUnit, number>> = { m: 3, cm: 0, mm: 0, ft: 2, in: 0, yd: 3, ftUS: 2 };

/** Formats an area in square metres in squares of `unit`: `2.345 m²`. */
export function formatArea(
  squareMetres: number,
  unit: LengthUnit,
  { language, decimals = defaultDecimals[unit] }: { readonly language: Language; readonly decimals?: number },
): string {
  return `${formatNumber(fromSquareMetres(squareMetres, unit), { language, decimals })}\u00a0${areaUnitSymbol(unit)}`;
}
