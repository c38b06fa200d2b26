import { toNumber } from './number-text.ts';
import { isEmpty, validationMessages, type Rule } from './validation-error.ts';

/** Refuses numbers below `limit`. */
export function min(limit: number): Rule {
  return (value) =>
    (toNumber(value) ?? limit) < limit ? { message: validationMessages.min, values: { min: limit } } : undefined;
}

/** Refuses texts of fewer than `limit` code points. */
export function minLength(limit: number): Rule {
  return (value) =>
    typeof value === 'string' && !isEmpty(value) && [...value].length < limit
      ? { message: validationMessages.minLength, values: { min: limit } }
      : undefined;
}
