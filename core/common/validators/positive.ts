import { toNumber } from './number-text.ts';
import { validationMessages, type ValidationError } from './validation-error.ts';

/** Refuses numbers below zero; accepts zero. */
export function positive(value: unknown): ValidationError | undefined {
  return (toNumber(value) ?? 0) < 0 ? { message: validationMessages.positive } : undefined;
}
