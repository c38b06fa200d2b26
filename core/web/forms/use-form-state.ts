import { useEffectEvent, useLayoutEffect, useRef, useState, type FormEvent, type RefCallback } from 'react';
import { firstRefusal, isEmpty, type ValidationError, type Rule } from '#core';
import type { FieldPath, ValueAt } from './field-path.ts';

/** One field, for any control. */
export interface FieldState<Value> {
  readonly name: string;
  readonly value: Value;
  readonly refusal: ValidationError | undefined;
  readonly ref: RefCallback<HTMLElement>;
  onChange(value: Value): void;
  onBlur(): void;
}

export interface FormState<T extends object> {
  /** The form is being submitted. */
  readonly busy: boolean;
  /** Why the submission failed, if no field is the cause. */
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
  refusalAt(values: object, path: string): ValidationError | undefined;
}

export type FieldRefusals = Readonly<Partial<Record<string, ValidationError>>>;

export interface FormStateOptions<T extends object> {
  readonly initial: T;
  readonly fields: FormFields;
  /** `reset` restores the initial values. */
  send(values: T, reset: () => void): Promise<void>;
  /** Maps a failure to the fields it concerns. */
  readonly refusalsIn?: (failure: unknown, paths: readonly string[]) => FieldRefusals;
  /** The field to focus after a failure that concerns no field. */
  readonly focusAfterFailure?: FieldPath<NoInfer<T>>;
  /**
   * Default values of a prerendered text form. Input from before hydration has precedence; password managers may fill
   * it in without an event, too.
   */
  readonly prerendered?: Partial<NoInfer<T>>;
}

/** Fields without nested values: sufficient for the sign-in page, which has a byte budget. */
export function flatFields(rules: Readonly<Record<string, readonly Rule<string>[]>>): FormFields {
  const valueAt = (values: object, path: string) => (values as Record<string, string>)[path] ?? '';
  return {
    paths: () => Object.keys(rules),
    valueAt,
    withValueAt: (values, path, value) => ({ ...values, [path]: value }),
    refusalAt: (values, path) => firstRefusal(valueAt(values, path), rules[path] ?? []),
  };
}

/**
 * State of a form with typed values. Validates on blur and on submit, keeps the input after a failure, and submits once
 * at a time.
 */
export function useFormState<T extends object>({
  initial,
  fields: { paths: pathsIn, valueAt, withValueAt, refusalAt },
  send,
  refusalsIn,
  focusAfterFailure,
  prerendered,
}: FormStateOptions<T>): FormState<T> {
  const [values, setValues] = useState<T>(initial);
  const [refusals, setRefusals] = useState<FieldRefusals>({});
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const [elements] = useState(() => new Map<string, HTMLElement>());
  const focusNext = useRef<string>(undefined);
  // After the next render: disabled controls cannot be focused before.
  useLayoutEffect(() => {
    if (focusNext.current === undefined) return;
    elements.get(focusNext.current)?.focus();
    focusNext.current = undefined;
  });

  /** Initial values with the current input of a prerendered form. */
  const withTyped = (now: T): T => {
    if (prerendered)
      for (const [path, element] of elements) {
        const typed = (element as HTMLInputElement).value;
        if (typed !== '') now = withValueAt(now, path, typed);
      }
    return now;
  };
  const takeOver = useEffectEvent(() => setValues(withTyped({ ...values, ...prerendered })));
  useLayoutEffect(() => takeOver(), []);

  /** Whether any field is invalid. */
  const show = (paths: readonly string[], found: FieldRefusals): boolean => {
    setRefusals(found);
    focusNext.current = paths.find((path) => found[path]);
    return focusNext.current !== undefined;
  };
  const run = async (): Promise<void> => {
    if (sending.current) return;
    const now = withTyped(values);
    const paths = pathsIn(now);
    setFailure(undefined);
    if (show(paths, Object.fromEntries(paths.map((path) => [path, refusalAt(now, path)])))) return;
    sending.current = true;
    setBusy(true);
    try {
      await send(now, () => {
        setValues(initial);
        setRefusals({});
      });
    } catch (cause) {
      if (!show(paths, refusalsIn?.(cause, paths) ?? {})) {
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
      const check = (now: T): void => setRefusals((before) => ({ ...before, [path]: refusalAt(now, path) }));
      return {
        name: path,
        value: valueAt(values, path) as ValueAt<T, Path>,
        refusal: refusals[path],
        ref: (element: HTMLElement | null) => {
          if (element) elements.set(path, element);
          else elements.delete(path);
        },
        onChange: (value: unknown) => {
          setValues((before) => withValueAt(before, path, value));
          if (refusals[path]) check(withValueAt(values, path, value));
        },
        // Leaving an untouched field does not validate it.
        onBlur: () => {
          const now = withTyped(values);
          if (!isEmpty(valueAt(now, path)) && !refusals[path]) check(now);
        },
      };
    },
    submit: (event) => {
      event.preventDefault();
      void run();
    },
  };
}
