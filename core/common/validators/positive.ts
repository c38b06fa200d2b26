import { toNumber } from './number-text.ts';
import { validationMessages, type ValidationError } from './validation-error.ts';

/** Refuses numbers below zero; zero stands. */
export function positive(value: unknown): ValidationError | undefined {
  return (toNumber(value) ?? 0) < 0 ? { message: validationMessages.positive } : undefined;
}
