import { formatNumber, fromMetres, lengthUnitSymbols, type Language, type LengthUnit } from '#core';

/** Converts square metres to squares of a unit. */
export const fromSquareMetres = (squareMetres: number, unit: LengthUnit): number =>
  fromMetres(fromMetres(squareMetres, unit), unit);

/** Returns the symbol of the square of a unit. */
export const getAreaUnitSymbol = (unit: LengthUnit): string => `${lengthUnitSymbols[unit]}²`;

/** Numbers of decimals that show differences of a few square centimetres. */
const defaultDecimals: Readonly<Record<LengthUnit, number>> = { m: 3, cm: 0, mm: 0, ft: 2, in: 0, yd: 3, ftUS: 2 };

/** Formats an area in squares of `unit`, such as `2.345 m²`. */
export function formatArea(
  squareMetres: number,
  unit: LengthUnit,
  { language, decimals = defaultDecimals[unit] }: { readonly language: Language; readonly decimals?: number },
): string {
  return `${formatNumber(fromSquareMetres(squareMetres, unit), { language, decimals })}\u00a0${getAreaUnitSymbol(unit)}`;
}
