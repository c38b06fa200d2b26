import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Checks only for text around an at sign: mail alone can verify an address. At most 254 characters (RFC 5321). */
export function email(value: unknown): ValidationError | undefined {
  return isEmpty(value) || (/^[^@\s]+@[^@\s]+$/.test(String(value).trim()) && String(value).trim().length <= 254)
    ? undefined
    : { message: validationMessages.email };
}
