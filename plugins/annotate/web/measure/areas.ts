import { formatNumber, fromMetres, lengthUnitSymbols, type Language, type LengthUnit } from '#core';

/** Square metres in squares of a unit. */
export const fromSquareMetres = (squareMetres: number, unit: LengthUnit): number =>
  fromMetres(fromMetres(squareMetres, unit), unit);

/** How the square of a unit is written beside a number. */
export const areaUnitSymbol = (unit: LengthUnit): string => `${lengthUnitSymbols[unit]}²`;

/** Digits after the decimal mark that stand for some square centimetres. */
const defaultDecimals: Readonly<Record<LengthUnit, number>> = { m: 3, cm: 0, mm: 0, ft: 2, in: 0, yd: 3, ftUS: 2 };

/** An area in square metres, shown in squares of `unit` with the symbol: `2.345 m²`. */
export function formatArea(
  squareMetres: number,
  unit: LengthUnit,
  { language, decimals = defaultDecimals[unit] }: { readonly language: Language; readonly decimals?: number },
): string {
  return `${formatNumber(fromSquareMetres(squareMetres, unit), { language, decimals })}\u00a0${areaUnitSymbol(unit)}`;
}
