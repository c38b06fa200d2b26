import { integer, mandatory, max, maxLength, min, nameChars, number, positive, type Rule } from '#core';

export const maxNameLength = 100;
export const maxSequence = 1_000_000;

export const nameRules: readonly Rule<string>[] = [mandatory, nameChars, maxLength(maxNameLength)];
export const frenchNameRules: readonly Rule<string | null>[] = [nameChars, maxLength(maxNameLength)];
/** Position in the lists of a type. */
export const sequenceRules: readonly Rule<number | undefined>[] = [
  mandatory,
  number,
  positive,
  integer,
  min(0),
  max(maxSequence),
];
