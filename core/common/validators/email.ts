import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Neither spaces nor what separates addresses or follows a scheme, such as in `mailto:a@b` (RFC 5322, atext). */
const pattern = /^[^@\s:;,<>()[\]\\"]+@[^@\s:;,<>()[\]\\"]+$/;

/** Accepts text around an at sign, at most 254 characters (RFC 5321). Only a sent mail can verify an address. */
export function email(value: unknown): ValidationError | undefined {
  return isEmpty(value) || (pattern.test(String(value).trim()) && String(value).trim().length <= 254)
    ? undefined
    : { message: validationMessages.email };
}
