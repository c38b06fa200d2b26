import type { FieldError } from '../errors.ts';
import type { ValidationError, Rule } from './validation-error.ts';

/** Rules by field of a form, a body or a sheet's row. The first rule of a field that fails applies. */
export type FieldRules<T extends object> = { readonly [K in keyof T]?: readonly Rule<T[K]>[] };

export function findFirstError<T>(value: T, rules: readonly Rule<T>[]): ValidationError | undefined {
  for (const rule of rules) {
    const error = rule(value);
    if (error) return error;
  }
  return undefined;
}

/** Validates a form, a body or a row: at most one error per field, in the order of `rules`. Empty if valid. */
export function validate<T extends object>(values: T, rules: FieldRules<T>): readonly FieldError[] {
  return (Object.keys(rules) as (keyof T & string)[]).flatMap((field) => {
    const error = findFirstError(values[field], rules[field] ?? []);
    return error ? [{ pointer: toPointer(field), ...error }] : [];
  });
}

/** JSON pointer (RFC 6901) to a field. */
export function toPointer(...path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
