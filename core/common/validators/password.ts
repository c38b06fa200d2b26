import { validationMessages, type ValidationError } from './validation-error.ts';

/** A password must be there. White space counts: it may be part of a password. */
export function password(value: unknown): ValidationError | undefined {
  return typeof value === 'string' && value !== '' ? undefined : { message: validationMessages.password };
}
