import { lengthUnits, type LengthUnit } from '../format/lengths.ts';

/**
 * A person's choice for coordinates in imported files. `FILE`: as stated by the files, else metres. `PROJECT`: convert
 * by their CRS to metres. A unit overrides the files.
 */
export const sourceChoices = ['FILE', 'PROJECT', ...lengthUnits] as const;
export type SourceChoice = 'FILE' | 'PROJECT' | LengthUnit;

export const isSourceChoice = (text: string): text is SourceChoice =>
  (sourceChoices as readonly string[]).includes(text);

/** Origin of a unit: stated by the file, fixed by its format, chosen by a person, or assumed. */
export const unitBases = ['FILE', 'FORMAT', 'PERSON', 'ASSUMED'] as const;
export type UnitBasis = (typeof unitBases)[number];
