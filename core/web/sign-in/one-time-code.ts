import { isEmpty, type ValidationError } from '#core';

/** The digits of a pasted code, without blanks and dashes. */
export function stripSeparators(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '');
}

/** Whether the text is six digits. */
export function oneTimeCode(value: string): ValidationError | undefined {
  return isEmpty(value) || /^[0-9]{6}$/.test(stripSeparators(value))
    ? undefined
    : { message: 'core.signIn.invalid.code' };
}
