import { isEmpty, validationMessages, type Rule } from './validation-error.ts';

/**
 * Refuses a value that equals one of `otherValues`, ignoring case and outer white space. `message` is a message id with
 * the placeholder `value`.
 */
export function duplicate(otherValues: Iterable<string>, message: string = validationMessages.duplicate): Rule {
  const takenValues = new Set([...otherValues].map(foldCase));
  return (value) =>
    !isEmpty(value) && takenValues.has(foldCase(String(value)))
      ? { message, values: { value: String(value).trim() } }
      : undefined;
}

/** The repeated values of a sheet's column, each in the spelling of its first occurrence. */
export function findDuplicates(values: Iterable<string>): readonly string[] {
  const entries = new Map<string, { readonly value: string; count: number }>();
  for (const value of values) {
    if (isEmpty(value)) continue;
    const entry = entries.get(foldCase(value));
    if (entry) entry.count += 1;
    else entries.set(foldCase(value), { value: value.trim(), count: 1 });
  }
  return [...entries.values()].filter((entry) => entry.count > 1).map((entry) => entry.value);
}

function foldCase(value: string): string {
  return value.trim().toLowerCase();
}
