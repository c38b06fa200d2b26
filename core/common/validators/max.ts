import { toNumber } from './number-text.ts';
import { validationMessages, type Rule } from './validation-error.ts';

/** Refuses numbers above `limit`. */
export function max(limit: number): Rule {
  return (value) =>
    (toNumber(value) ?? limit) > limit ? { message: validationMessages.max, values: { max: limit } } : undefined;
}

/** Refuses texts of more than `limit` code points. */
export function maxLength(limit: number): Rule {
  return (value) =>
    typeof value === 'string' && [...value].length > limit
      ? { message: validationMessages.maxLength, values: { max: limit } }
      : undefined;
}
