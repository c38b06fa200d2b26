import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Letters of any language, digits and spaces only. */
export function specialChars(value: unknown): ValidationError | undefined {
  return isEmpty(value) || /^[\p{L}\p{M}\p{Nd} ]+$/u.test(String(value))
    ? undefined
    : { message: validationMessages.specialChars };
}

/** As `specialChars`, and the dash. */
export function specialCharsExceptDash(value: unknown): ValidationError | undefined {
  return isEmpty(value) || /^[\p{L}\p{M}\p{Nd} -]+$/u.test(String(value))
    ? undefined
    : { message: validationMessages.specialCharsExceptDash };
}
