import { validationMessages, type ValidationError } from './validation-error.ts';

/** Refuses a missing password. White space counts: a password may contain it. */
export function password(value: unknown): ValidationError | undefined {
  return typeof value === 'string' && value !== '' ? undefined : { message: validationMessages.password };
}
