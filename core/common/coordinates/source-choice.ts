import { lengthUnits, type LengthUnit } from '../format/lengths.ts';

/**
 * A person's choice for the coordinates of imported files. `FILE` uses the unit that the file states, else metres.
 * `PROJECT` converts from the file's CRS to metres. A unit code replaces the file's unit.
 */
export const sourceChoices = ['FILE', 'PROJECT', ...lengthUnits] as const;
export type SourceChoice = 'FILE' | 'PROJECT' | LengthUnit;

export const isSourceChoice = (text: string): text is SourceChoice =>
  (sourceChoices as readonly string[]).includes(text);

/** Origin of a unit: stated by the file, fixed by its format, chosen by a person, or assumed. */
export const unitBases = ['FILE', 'FORMAT', 'PERSON', 'ASSUMED'] as const;
export type UnitBasis = (typeof unitBases)[number];
