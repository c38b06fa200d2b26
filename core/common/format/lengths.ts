import type { Language } from '../profile.ts';
import { formatNumber } from './numbers.ts';

/**
 * Metres per unit, exact by definition: the international foot (1959) and the US survey foot, 1200/3937 m (Mendenhall
 * Order, 1893).
 */
export const metresPer = {
  m: 1,
  cm: 0.01,
  mm: 0.001,
  ft: 0.3048,
  in: 0.0254,
  yd: 0.9144,
  ftUS: 1200 / 3937,
} as const;
export type LengthUnit = keyof typeof metresPer;
export const lengthUnits = Object.keys(metresPer) as readonly LengthUnit[];

/** The symbol of a unit. */
export const lengthUnitSymbols: Readonly<Record<LengthUnit, string>> = {
  m: 'm',
  cm: 'cm',
  mm: 'mm',
  ft: 'ft',
  in: 'in',
  yd: 'yd',
  ftUS: 'US survey ft',
};

/** Converts a length to metres. Multiplies before dividing, so that 3937 US survey feet are exactly 1200 m. */
export function toMetres(value: number, unit: LengthUnit): number {
  if (unit === 'ftUS') return (value * 1200) / 3937;
  if (unit === 'cm') return value / 100;
  if (unit === 'mm') return value / 1000;
  return value * metresPer[unit];
}

export function fromMetres(metres: number, unit: LengthUnit): number {
  if (unit === 'ftUS') return (metres * 3937) / 1200;
  if (unit === 'cm') return metres * 100;
  if (unit === 'mm') return metres * 1000;
  return metres / metresPer[unit];
}

/** Decimal digits for a resolution of about one millimetre. */
const defaultDecimals: Readonly<Record<LengthUnit, number>> = { m: 3, cm: 1, mm: 0, ft: 3, in: 2, yd: 3, ftUS: 3 };

/** Formats metres in `unit` with its symbol: `1.235 m`. */
export function formatLength(
  metres: number,
  unit: LengthUnit,
  { language, decimals = defaultDecimals[unit] }: { readonly language: Language; readonly decimals?: number },
): string {
  return `${formatNumber(fromMetres(metres, unit), { language, decimals })}\u00a0${lengthUnitSymbols[unit]}`;
}
