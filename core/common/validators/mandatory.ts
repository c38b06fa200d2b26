import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** Refuses a missing value and white space. */
export function mandatory(value: unknown): ValidationError | undefined {
  return isEmpty(value) ? { message: validationMessages.mandatory } : undefined;
}

/** The same rule with the message for a table cell or a sheet's column. */
export function mandatoryField(value: unknown): ValidationError | undefined {
  return isEmpty(value) ? { message: validationMessages.mandatoryField } : undefined;
}
