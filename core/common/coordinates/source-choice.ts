import { lengthUnits, type LengthUnit } from '../format/lengths.ts';

/**
 * What a person says of the coordinates in imported files. `FILE`: as the files say, metres where they say nothing.
 * `PROJECT`: convert them to metres by their coordinate system. A unit: count in it, whatever the files say.
 */
export const sourceChoices = ['FILE', 'PROJECT', ...lengthUnits] as const;
export type SourceChoice = 'FILE' | 'PROJECT' | LengthUnit;

export const isSourceChoice = (text: string): text is SourceChoice =>
  (sourceChoices as readonly string[]).includes(text);

/**
 * Where a unit comes from: the file states it, its format fixes it, a person chose it, or nobody said and it is an
 * assumption.
 */
export const unitBases = ['FILE', 'FORMAT', 'PERSON', 'ASSUMED'] as const;
export type UnitBasis = (typeof unitBases)[number];
