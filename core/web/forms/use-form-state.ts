import { useEffectEvent, useLayoutEffect, useRef, useState, type FormEvent, type RefCallback } from 'react';
import { findFirstError, isEmpty, type ValidationError, type Rule } from '#core';
import type { FieldPath, ValueAt } from './field-path.ts';

/** One field, for any control. */
export interface FieldState<Value> {
  readonly name: string;
  readonly value: Value;
  readonly error: ValidationError | undefined;
  readonly ref: RefCallback<HTMLElement>;
  onChange(value: Value): void;
  onBlur(): void;
}

export interface FormState<T extends object> {
  /** True while the form is being submitted. */
  readonly busy: boolean;
  /** The error of the submission, if no field is the cause. */
  readonly failure: unknown;
  readonly values: T;
  setFailure(failure: unknown): void;
  field<Path extends FieldPath<T>>(path: Path): FieldState<ValueAt<T, Path>>;
  submit(event: FormEvent): void;
}

/** The fields of a form by path, with their rules. */
export interface FormFields {
  /** In display order: the first invalid field gets the focus. */
  paths(values: object): readonly string[];
  valueAt(values: object, path: string): unknown;
  withValueAt<T extends object>(values: T, path: string, value: unknown): T;
  errorAt(values: object, path: string): ValidationError | undefined;
}

export type FieldErrors = Readonly<Partial<Record<string, ValidationError>>>;

export interface FormStateOptions<T extends object> {
  readonly initial: T;
  readonly fields: FormFields;
  /** `reset` restores the initial values. */
  send(values: T, reset: () => void): Promise<void>;
  /** Maps a failure to the fields it concerns. */
  readonly toFieldErrors?: (failure: unknown, paths: readonly string[]) => FieldErrors;
  /** The field to focus after a failure that concerns no field. */
  readonly focusAfterFailure?: FieldPath<NoInfer<T>>;
  /**
   * Default values of a prerendered text form. Input from before hydration has precedence. A password manager may enter
   * it without an event.
   */
  readonly prerendered?: Partial<NoInfer<T>>;
}

/** The fields of a form without nested values. They suffice for the sign-in page, which has a byte budget. */
export function flatFields(rules: Readonly<Record<string, readonly Rule<string>[]>>): FormFields {
  const valueAt = (values: object, path: string) => (values as Record<string, string>)[path] ?? '';
  return {
    paths: () => Object.keys(rules),
    valueAt,
    withValueAt: (values, path, value) => ({ ...values, [path]: value }),
    errorAt: (values, path) => findFirstError(valueAt(values, path), rules[path] ?? []),
  };
}

/**
 * State of a form with typed values. Validates on blur and on submit, keeps the input after a failure, and submits once
 * at a time.
 */
export function useFormState<T extends object>({
  initial,
  fields: { paths: pathsIn, valueAt, withValueAt, errorAt },
  send,
  toFieldErrors,
  focusAfterFailure,
  prerendered,
}: FormStateOptions<T>): FormState<T> {
  const [values, setValues] = useState<T>(initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const [elements] = useState(() => new Map<string, HTMLElement>());
  const focusNext = useRef<string>(undefined);
  // Focuses after the next render, because disabled controls cannot be focused.
  useLayoutEffect(() => {
    if (focusNext.current === undefined) return;
    elements.get(focusNext.current)?.focus();
    focusNext.current = undefined;
  });

  /** Adds the input of the elements of a prerendered form. */
  const addInput = (current: T): T => {
    if (prerendered)
      for (const [path, element] of elements) {
        const input = (element as HTMLInputElement).value;
        if (input !== '') current = withValueAt(current, path, input);
      }
    return current;
  };
  const adoptInput = useEffectEvent(() => setValues(addInput({ ...values, ...prerendered })));
  useLayoutEffect(() => adoptInput(), []);

  /** Shows the errors. Returns true if any field is invalid. */
  const showErrors = (paths: readonly string[], next: FieldErrors): boolean => {
    setErrors(next);
    focusNext.current = paths.find((path) => next[path]);
    return focusNext.current !== undefined;
  };
  const validateAndSend = async (): Promise<void> => {
    if (sending.current) return;
    const currentValues = addInput(values);
    const paths = pathsIn(currentValues);
    setFailure(undefined);
    if (showErrors(paths, Object.fromEntries(paths.map((path) => [path, errorAt(currentValues, path)])))) return;
    sending.current = true;
    setBusy(true);
    try {
      await send(currentValues, () => {
        setValues(initial);
        setErrors({});
      });
    } catch (cause) {
      if (!showErrors(paths, toFieldErrors?.(cause, paths) ?? {})) {
        setFailure(cause);
        focusNext.current = focusAfterFailure;
      }
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return {
    busy,
    failure,
    values,
    setFailure,
    field: <Path extends FieldPath<T>>(path: Path) => {
      const check = (current: T): void => setErrors((previous) => ({ ...previous, [path]: errorAt(current, path) }));
      return {
        name: path,
        value: valueAt(values, path) as ValueAt<T, Path>,
        error: errors[path],
        ref: (element: HTMLElement | null) => {
          if (element) elements.set(path, element);
          else elements.delete(path);
        },
        onChange: (value: unknown) => {
          setValues((previous) => withValueAt(previous, path, value));
          // The items of a list may have moved.
          setErrors((previous) =>
            Object.fromEntries(Object.entries(previous).filter(([otherPath]) => !otherPath.startsWith(`${path}.`))),
          );
          if (errors[path]) check(withValueAt(values, path, value));
        },
        // Leaving an untouched field does not validate it.
        onBlur: () => {
          const currentValues = addInput(values);
          if (!isEmpty(valueAt(currentValues, path)) && !errors[path]) check(currentValues);
        },
      };
    },
    submit: (event) => {
      event.preventDefault();
      void validateAndSend();
    },
  };
}
