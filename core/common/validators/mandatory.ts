import { isEmpty, validationMessages, type Refusal } from './refusal.ts';

/** A value must be there; white space alone is none. */
export function mandatory(value: unknown): Refusal | undefined {
  return isEmpty(value) ? { message: validationMessages.mandatory } : undefined;
}

/** The same rule in the words of a table's cell or a sheet's column. */
export function mandatoryField(value: unknown): Refusal | undefined {
  return isEmpty(value) ? { message: validationMessages.mandatoryField } : undefined;
}
