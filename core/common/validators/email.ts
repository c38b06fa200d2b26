import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Accepts text around an at sign, at most 254 characters (RFC 5321). Only a mail can verify an address. */
export function email(value: unknown): ValidationError | undefined {
  return isEmpty(value) || (/^[^@\s]+@[^@\s]+$/.test(String(value).trim()) && String(value).trim().length <= 254)
    ? undefined
    : { message: validationMessages.email };
}
