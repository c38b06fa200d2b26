import { isEmpty, validationMessages, type Rule } from './validation-error.ts';

/**
 * Refuses a value that equals one of `others`, ignoring case and outer white space. `message`: the caller's message id
 * with the placeholder `value`.
 */
export function duplicate(others: Iterable<string>, message: string = validationMessages.duplicate): Rule {
  const taken = new Set([...others].map(fold));
  return (value) =>
    !isEmpty(value) && taken.has(fold(String(value)))
      ? { message, values: { value: String(value).trim() } }
      : undefined;
}

/** Repeated values of a sheet's column, each as first written. */
export function duplicatesIn(values: Iterable<string>): readonly string[] {
  const seen = new Map<string, { readonly value: string; count: number }>();
  for (const value of values) {
    if (isEmpty(value)) continue;
    const entry = seen.get(fold(value));
    if (entry) entry.count += 1;
    else seen.set(fold(value), { value: value.trim(), count: 1 });
  }
  return [...seen.values()].filter((entry) => entry.count > 1).map((entry) => entry.value);
}

function fold(value: string): string {
  return value.trim().toLowerCase();
}
