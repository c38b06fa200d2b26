import { isEmpty, type ValidationError } from '#core';

/** The digits of a code as it was pasted, blanks and dashes taken out. */
export function stripSeparators(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '');
}

/** Six digits. */
export function oneTimeCode(value: string): ValidationError | undefined {
  return isEmpty(value) || /^[0-9]{6}$/.test(stripSeparators(value))
    ? undefined
    : { message: 'core.signIn.invalid.code' };
}
