import { validationMessages, type Refusal } from './refusal.ts';

/** A password must be there. White space counts: it may be part of a password. */
export function password(value: unknown): Refusal | undefined {
  return typeof value === 'string' && value !== '' ? undefined : { message: validationMessages.password };
}
