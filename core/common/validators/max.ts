import { toNumber } from './number-text.ts';
import { validationMessages, type Rule } from './validation-error.ts';

/** Refuses numbers above `max`. */
export function max(max: number): Rule {
  return (value) => ((toNumber(value) ?? max) > max ? { message: validationMessages.max, values: { max } } : undefined);
}

/** Refuses texts of more than `max` code points. */
export function maxLength(max: number): Rule {
  return (value) =>
    typeof value === 'string' && [...value].length > max
      ? { message: validationMessages.maxLength, values: { max } }
      : undefined;
}
