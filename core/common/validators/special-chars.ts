import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Accepts only letters of any language, digits and spaces. */
export function specialChars(value: unknown): ValidationError | undefined {
  return isEmpty(value) || /^[\p{L}\p{M}\p{Nd} ]+$/u.test(String(value))
    ? undefined
    : { message: validationMessages.specialChars };
}

/** Like `specialChars`, plus the dash. */
export function specialCharsExceptDash(value: unknown): ValidationError | undefined {
  return isEmpty(value) || /^[\p{L}\p{M}\p{Nd} -]+$/u.test(String(value))
    ? undefined
    : { message: validationMessages.specialCharsExceptDash };
}

/** Accepts the characters of a code: letters A to Z, digits and the dash. Refuses text of only dashes. */
export function codeChars(value: unknown): ValidationError | undefined {
  if (isEmpty(value)) return undefined;
  if (!/^[A-Za-z0-9-]+$/.test(String(value))) return { message: validationMessages.specialCharsExceptDash };
  return /^-+$/.test(String(value)) ? { message: validationMessages.format } : undefined;
}

const forbiddenInTags = /[<>`{}[\]\\|^~%*=;$!?\p{Cc}]/u;

/** Refuses the characters ``< > ` { } [ ] \ | ^ ~ % * = ; $ ! ?`` and controls, as in a line number `6"-PG-1001`. */
export function tagNumberChars(value: unknown): ValidationError | undefined {
  return !isEmpty(value) && forbiddenInTags.test(String(value))
    ? { message: validationMessages.specialChars }
    : undefined;
}

/** Like `tagNumberChars`, and refuses double quotes: the characters of a name. */
export function nameChars(value: unknown): ValidationError | undefined {
  return !isEmpty(value) && String(value).includes('"')
    ? { message: validationMessages.specialChars }
    : tagNumberChars(value);
}
