import { useEffectEvent, useLayoutEffect, useRef, useState, type FormEvent, type RefCallback } from 'react';
import { firstRefusal, isEmpty, type ValidationError, type Rule } from '#core';
import type { FieldPath, ValueAt } from './field-path.ts';

/** One field, for whatever control shows it. */
export interface FieldState<Value> {
  readonly name: string;
  readonly value: Value;
  readonly refusal: ValidationError | undefined;
  readonly ref: RefCallback<HTMLElement>;
  onChange(value: Value): void;
  onBlur(): void;
}

export interface FormState<T extends object> {
  /** It is being sent. */
  readonly busy: boolean;
  /** Why sending failed, where no field is to blame. */
  readonly failure: unknown;
  readonly values: T;
  setFailure(failure: unknown): void;
  field<Path extends FieldPath<T>>(path: Path): FieldState<ValueAt<T, Path>>;
  submit(event: FormEvent): void;
}

/** The fields of a form by path, and what they are checked by. */
export interface FormFields {
  /** In the order in which the fields stand: the first that is refused gets the focus. */
  paths(values: object): readonly string[];
  valueAt(values: object, path: string): unknown;
  withValueAt<T extends object>(values: T, path: string, value: unknown): T;
  refusalAt(values: object, path: string): ValidationError | undefined;
}

export type FieldRefusals = Readonly<Partial<Record<string, ValidationError>>>;

export interface FormStateOptions<T extends object> {
  readonly initial: T;
  readonly fields: FormFields;
  /** `reset` puts the fields back to what they were at first. */
  send(values: T, reset: () => void): Promise<void>;
  /** Which fields a failure is about. */
  readonly refusalsIn?: (failure: unknown, paths: readonly string[]) => FieldRefusals;
  /** The field that has the focus after a failure that is about none. */
  readonly focusAfterFailure?: FieldPath<NoInfer<T>>;
  /**
   * Of a form of texts that is shown before its script runs: what was typed until then is taken over, else these values
   * are. A password manager may also fill it in without an event.
   */
  readonly prerendered?: Partial<NoInfer<T>>;
}

/** The fields of a form without nested values: all that the sign-in page needs, which is measured by the byte. */
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
 * The state of a form with typed values. Fields are checked when they are left and when it is sent. Nothing typed is
 * lost by a failure. One submission at a time.
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
  // After the next render: controls that are disabled while the form is sent take no focus before.
  useLayoutEffect(() => {
    if (focusNext.current === undefined) return;
    elements.get(focusNext.current)?.focus();
    focusNext.current = undefined;
  });

  /** With what stands in the inputs of a prerendered form. */
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

  /** Whether one is refused. */
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
        // An untouched field is not called wrong because somebody went past it.
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
