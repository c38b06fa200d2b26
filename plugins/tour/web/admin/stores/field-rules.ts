import { codeChars, duplicate, mandatory, max, maxLength, min, number, type Rule } from '#core';
import { maxCodeLength } from './propose-codes.ts';

const maxCoordinate = 1e8;
const maxNameLength = 200;

export const nameRules: readonly Rule<string>[] = [mandatory, maxLength(maxNameLength)];
export const coordinateRules: readonly Rule<number | undefined>[] = [
  mandatory,
  number,
  min(-maxCoordinate),
  max(maxCoordinate),
];
export const headingRules: readonly Rule<number | undefined>[] = [mandatory, number, min(-360), max(360)];
export const buildCodeRules = (takenCodes: readonly string[]): readonly Rule<string>[] => [
  mandatory,
  codeChars,
  maxLength(maxCodeLength),
  duplicate(takenCodes),
];
