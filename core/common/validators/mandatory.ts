import { isEmpty, validationMessages, type ValidationError } from './validation-error.ts';

/** A value must be there; white space alone is none. */
export function mandatory(value: unknown): ValidationError | undefined {
  return isEmpty(value) ? { message: validationMessages.mandatory } : undefined;
}

/** The same rule in the words of a table's cell or a sheet's column. */
export function mandatoryField(value: unknown): ValidationError | undefined {
  return isEmpty(value) ? { message: validationMessages.mandatoryField } : undefined;
}
