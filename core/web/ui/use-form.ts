import { useCallback, useRef, useState, type FormEvent, type RefCallback } from 'react';
import { firstRefusal, pointerTo, type Refusal, type Rule } from '#core';
import { useText } from '../i18n/use-text.ts';
import { ApiError } from '../kernel/services.ts';

type Values = Readonly<Record<string, string>>;

/** What an input of the form takes: `<Input {...form.input('name')} />`; a `Select` takes the same. */
export interface FormInput {
  readonly name: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly ref: RefCallback<HTMLElement>;
  onChange(event: unknown, data: { readonly value: string }): void;
  onBlur(): void;
}

/** What stands around it: `<Field {...form.field('name')} label="...">`. */
export interface FormField {
  readonly validationMessage?: string;
  readonly validationState: 'error' | 'none';
}

export interface Form<T extends Values> {
  readonly busy: boolean;
  /** Why sending failed, where no field is to blame. */
  readonly failure: unknown;
  readonly changed: boolean;
  input(name: keyof T & string): FormInput;
  field(name: keyof T & string): FormField;
  submit(event: FormEvent): void;
}

export interface FormOptions<T extends Values> {
  readonly initial: T;
  /** In the order in which the fields stand: the first that is refused gets the focus. */
  readonly rules: { readonly [K in keyof T & string]: readonly Rule<string>[] };
  /** Rules that need more than one field. */
  readonly together?: (values: T) => Partial<Record<keyof T & string, Refusal>>;
  /** `reset` puts the fields back to what they were at first. */
  send(values: T, reset: () => void): Promise<void>;
}

/**
 * A form whose fields are checked when they are left and when it is sent; the first that is refused gets the focus.
 * Refusals of the server stand beside the fields they name. Nothing typed is lost by a failure. One submission at a
 * time.
 */
export function useForm<const T extends Values>({ initial, rules, together, send }: FormOptions<T>): Form<T> {
  const t = useText();
  const names = Object.keys(rules) as (keyof T & string)[];
  const [values, setValues] = useState<T>(initial);
  const [refusals, setRefusals] = useState<Partial<Record<keyof T & string, Refusal>>>({});
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const inputs = useRef(new Map<string, HTMLElement>());

  const refusalOf = (name: keyof T & string): Refusal | undefined =>
    firstRefusal<string>(values[name] ?? '', rules[name]) ?? together?.(values)[name];
  const show = (found: Partial<Record<keyof T & string, Refusal>>): void => {
    setRefusals(found);
    const first = names.find((name) => found[name] !== undefined);
    if (first !== undefined) inputs.current.get(first)?.focus();
  };
  const reset = useCallback(() => {
    setValues(initial);
    setRefusals({});
  }, [initial]);

  const run = async (): Promise<void> => {
    if (sending.current) return;
    const found: Partial<Record<keyof T & string, Refusal>> = {};
    for (const name of names) {
      const refusal = refusalOf(name);
      if (refusal) found[name] = refusal;
    }
    show(found);
    setFailure(undefined);
    if (Object.keys(found).length > 0) return;
    sending.current = true;
    setBusy(true);
    try {
      await send(values, reset);
    } catch (error) {
      const named = refusedByServer(error, names);
      show(named);
      if (Object.keys(named).length === 0) setFailure(error);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return {
    busy,
    failure,
    changed: names.some((name) => values[name] !== initial[name]),
    input: (name) => ({
      name,
      value: values[name] ?? '',
      disabled: busy,
      ref: (element) => {
        if (element) inputs.current.set(name, element);
        else inputs.current.delete(name);
      },
      onChange: (_, { value }) => {
        setValues((before) => ({ ...before, [name]: value }));
        setRefusals((before) => {
          const rest = { ...before };
          delete rest[name];
          return rest;
        });
      },
      onBlur: () => {
        const refusal = refusalOf(name);
        if (refusal && (values[name] ?? '') !== '') setRefusals((before) => ({ ...before, [name]: refusal }));
      },
    }),
    field: (name) => {
      const refusal = refusals[name];
      return refusal
        ? { validationState: 'error', validationMessage: t(refusal.message, refusal.values) }
        : { validationState: 'none' };
    },
    submit: (event) => {
      event.preventDefault();
      void run();
    },
  };
}

function refusedByServer<Name extends string>(error: unknown, names: readonly Name[]): Partial<Record<Name, Refusal>> {
  const fields = error instanceof ApiError ? (error.body?.fields ?? []) : [];
  const named: Partial<Record<Name, Refusal>> = {};
  for (const name of names) {
    const refusal = fields.find(({ pointer }) => pointer === pointerTo(name));
    if (refusal) named[name] = refusal;
  }
  return named;
}
