import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/**
 * Something, an at sign, something: whether the address exists only a mail can tell. At most 254 characters (RFC 5321).
 */
export function email(value: unknown): ValidationError | undefined {
  return isEmpty(value) || (/^[^@\s]+@[^@\s]+$/.test(String(value).trim()) && String(value).trim().length <= 254)
    ? undefined
    : { message: validationMessages.email };
}
