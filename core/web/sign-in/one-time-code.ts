import { isEmpty, onlyNumbers, type ValidationError } from '#core';

/** Removes blanks and dashes from a pasted code. */
export function stripSeparators(input: string): string {
  return input.replaceAll(/[\s-]/g, '');
}

/** Refuses a code that does not have six digits. */
export function oneTimeCode(value: string): ValidationError | undefined {
  if (isEmpty(value)) return undefined;
  const code = stripSeparators(value);
  return onlyNumbers(code) ?? (code.length === 6 ? undefined : { message: 'core.signIn.invalid.code' });
}
