import { toNumber } from './number-text.ts';
import { validationMessages, type ValidationError } from './validation-error.ts';

/** Refuses fractions; accepts `2.0`. */
export function integer(value: unknown): ValidationError | undefined {
  return Number.isInteger(toNumber(value) ?? 0) ? undefined : { message: validationMessages.integer };
}
