import { lengthUnits, metresPer, type LengthUnit } from '../format/lengths.ts';

/** Relative tolerance of a unit's factor. The two feet differ by 2e-6 and must stay distinct. */
const maxDifference = 5e-7;

/** The unit of this many metres; undefined if it is none of `lengthUnits`. */
export function findLengthUnit(metres: number): LengthUnit | undefined {
  return lengthUnits.find((unit) => Math.abs(metres / metresPer[unit] - 1) < maxDifference);
}
