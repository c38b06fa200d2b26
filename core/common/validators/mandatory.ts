import { isEmpty, isInvisible, validationMessages, type ValidationError } from './validation-error.ts';

/** Refuses a missing value, white space and text of only invisible characters. */
export function mandatory(value: unknown): ValidationError | undefined {
  return isEmpty(value) || isInvisible(value) ? { message: validationMessages.mandatory } : undefined;
}

/** The same rule with the message for a table cell or a sheet's column. */
export function mandatoryField(value: unknown): ValidationError | undefined {
  return isEmpty(value) || isInvisible(value) ? { message: validationMessages.mandatoryField } : undefined;
}
