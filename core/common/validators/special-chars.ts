import { isEmpty, validationMessages, type Refusal } from './refusal.ts';

/** Letters of any language, digits and spaces only. */
export function specialChars(value: unknown): Refusal | undefined {
  return isEmpty(value) || /^[\p{L}\p{M}\p{Nd} ]+$/u.test(String(value))
    ? undefined
    : { message: validationMessages.specialChars };
}

/** As `specialChars`, and the dash. */
export function specialCharsExceptDash(value: unknown): Refusal | undefined {
  return isEmpty(value) || /^[\p{L}\p{M}\p{Nd} -]+$/u.test(String(value))
    ? undefined
    : { message: validationMessages.specialCharsExceptDash };
}
