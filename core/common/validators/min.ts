import { toNumber } from './number-text.ts';
import { isEmpty, validationMessages, type Rule } from './validation-error.ts';

/** Refuses numbers below `min`. */
export function min(min: number): Rule {
  return (value) => ((toNumber(value) ?? min) < min ? { message: validationMessages.min, values: { min } } : undefined);
}

/** Refuses texts of fewer than `min` code points. */
export function minLength(min: number): Rule {
  return (value) =>
    typeof value === 'string' && !isEmpty(value) && [...value].length < min
      ? { message: validationMessages.minLength, values: { min } }
      : undefined;
}
