import { toNumber } from './number-text.ts';
import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Accepts a number in decimal notation, as text or as number. */
export function number(value: unknown): ValidationError | undefined {
  return isEmpty(value) || toNumber(value) !== undefined ? undefined : { message: validationMessages.number };
}

/** Accepts only the digits 0 to 9, as in a code. */
export function onlyNumbers(value: unknown): ValidationError | undefined {
  return isEmpty(value) || /^\d+$/.test(String(value)) ? undefined : { message: validationMessages.onlyNumbers };
}
