import { isEmpty, type ValidationError } from '#core';

/** Removes blanks and dashes from a pasted code. */
export function stripSeparators(input: string): string {
  return input.replaceAll(/[\s-]/g, '');
}

/** Refuses a code that does not have six digits. */
export function oneTimeCode(value: string): ValidationError | undefined {
  return isEmpty(value) || /^[0-9]{6}$/.test(stripSeparators(value))
    ? undefined
    : { message: 'core.signIn.invalid.code' };
}
