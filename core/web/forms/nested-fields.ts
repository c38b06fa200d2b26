import { findFirstError, type Rule } from '#core';
import type { FieldErrors, FormFields } from './use-form-state.ts';

/** Checks rules that need more than one field. Returns the errors by path. */
export type CrossFieldValidator = (values: object) => FieldErrors;

/** The fields of a form with nested values and lists. `*` in the path of a rule matches each item of a list. */
export function nestedFields(
  rules: Readonly<Record<string, readonly Rule<never>[] | undefined>>,
  validateTogether: CrossFieldValidator | undefined,
): FormFields {
  const expandRules = (values: object): ReadonlyMap<string, readonly Rule<never>[]> =>
    new Map(
      Object.entries(rules).flatMap(([pattern, patternRules = []]) =>
        expandPaths(values, pattern).map((path) => [path, patternRules] as const),
      ),
    );
  return {
    paths: (values) => [...expandRules(values).keys()],
    valueAt,
    withValueAt,
    errorAt: (values, path) =>
      findFirstError(valueAt(values, path) as never, expandRules(values).get(path) ?? []) ??
      validateTogether?.(values)[path],
  };
}

function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], values);
}

/** A copy with another value at the path. */
function withValueAt<T>(values: T, path: string, value: unknown): T {
  const [key = '', ...rest] = path.split('.');
  const copy = (Array.isArray(values) ? [...values] : { ...values }) as Record<string, unknown>;
  copy[key] = rest.length === 0 ? value : withValueAt(copy[key], rest.join('.'), value);
  return copy as T;
}

/** Expands a pattern to paths, where `*` stands for each item of a list. */
function expandPaths(values: unknown, pattern: string): readonly string[] {
  const [listPath, suffix] = pattern.split(/\.?\*(.*)/s);
  if (listPath === undefined || suffix === undefined) return [pattern];
  const items = (listPath === '' ? values : valueAt(values, listPath)) as readonly unknown[] | undefined;
  return (items ?? []).flatMap((_, index) =>
    expandPaths(values, `${listPath === '' ? '' : `${listPath}.`}${index}${suffix}`),
  );
}

export function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
    isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
