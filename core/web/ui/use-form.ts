import { useState, type FormEvent, type RefCallback } from 'react';
import { toNumber, pointerTo, type ValidationError, type Rule } from '#core';
import type { FieldPath, PathTo, ValueAt } from '../forms/field-path.ts';
import { isEqual, nestedFields, type NestedChecks } from '../forms/nested-fields.ts';
import { useFormState, type FieldRefusals, type FormState, type FormStateOptions } from '../forms/use-form-state.ts';
import { useText } from '../i18n/use-text.ts';
import { ApiError } from '../kernel/services.ts';

interface FormControl {
  readonly name: string;
  readonly disabled: boolean;
  readonly ref: RefCallback<HTMLElement>;
  onBlur(): void;
}

/** Props of an input: `<Input {...form.input('name')} />`; the same for a `Select`. */
export interface FormInput extends FormControl {
  readonly value: string;
  onChange(event: unknown, data: { readonly value: string }): void;
}

/** `<Checkbox {...form.checkbox('active')} />`. */
export interface FormCheckbox extends FormControl {
  readonly checked: boolean;
  onChange(event: unknown, data: { readonly checked: boolean | 'mixed' }): void;
}

/** Props of the surrounding field: `<Field {...form.field('name')} label="...">`. */
export interface FormField {
  readonly validationMessage?: string;
  readonly validationState: 'error' | 'none';
}

export interface Form<T extends object> extends Pick<FormState<T>, 'busy' | 'failure'> {
  /** Some value differs from its initial one. */
  readonly changed: boolean;
  /** A field for other controls than text, number and checkbox, such as a list. */
  readonly state: FormState<T>['field'];
  /** A text field; days are texts (`2026-11-21`). */
  input(path: PathTo<T, string>): FormInput;
  /** A number field: undefined if empty, NaN for invalid input, which the rule `number` refuses. */
  number(path: PathTo<T, number | null | undefined>): FormInput;
  checkbox(path: PathTo<T, boolean>): FormCheckbox;
  field(path: FieldPath<T>): FormField;
  submit(event: FormEvent): void;
}

export interface FormOptions<T extends object> extends Pick<FormStateOptions<T>, 'initial' | 'send'> {
  /**
   * Rules by path, in the order of the fields: the first invalid one gets the focus. `*` matches each item of a list.
   */
  readonly rules: {
    readonly [Path in FieldPath<T, `${number}` | '*'>]?: readonly Rule<ValueAt<T, Path>>[];
  };
  /** Rules that need more than one field. */
  readonly together?: (values: T) => { readonly [Path in FieldPath<T>]?: ValidationError };
}

/** A form with typed values for Fluent's controls. Server errors appear at the fields they name. */
export function useForm<T extends object>({ initial, rules, together, send }: FormOptions<T>): Form<T> {
  const t = useText();
  const form = useFormState<T>({
    initial,
    fields: nestedFields(rules, together as NestedChecks),
    send,
    refusalsIn: refusalsByServer,
  });
  const { busy, failure, submit } = form;
  /** Text of number fields as typed: `1.` may become 1.5. */
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const state = form.field as (path: string) => ReturnType<typeof form.field>;
  const control = (path: string): FormControl => {
    const { name, ref, onBlur } = state(path);
    return { name, ref, onBlur, disabled: busy };
  };
  return {
    busy,
    failure,
    changed: !isEqual(form.values, initial),
    submit,
    state: form.field,
    input: (path) => {
      const { value, onChange } = state(path);
      return {
        ...control(path),
        value: String(value ?? ''),
        onChange: (_, data) => onChange(data.value as never),
      };
    },
    number: (path) => {
      const { value, onChange } = state(path);
      const text = typed[path];
      return {
        ...control(path),
        value: text !== undefined && Object.is(parseNumber(text), value ?? undefined) ? text : String(value ?? ''),
        onChange: (_, data) => {
          setTyped((before) => ({ ...before, [path]: data.value }));
          onChange(parseNumber(data.value) as never);
        },
      };
    },
    checkbox: (path) => {
      const { value, onChange } = state(path);
      return {
        ...control(path),
        checked: Boolean(value),
        onChange: (_, data) => onChange((data.checked === true) as never),
      };
    },
    field: (path) => {
      const { refusal } = state(path);
      return refusal
        ? { validationState: 'error', validationMessage: t(refusal.message, refusal.values) }
        : { validationState: 'none' };
    },
  };
}

function parseNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : (toNumber(text) ?? NaN);
}

function refusalsByServer(failure: unknown, paths: readonly string[]): FieldRefusals {
  const fields = failure instanceof ApiError ? (failure.body?.fields ?? []) : [];
  return Object.fromEntries(
    paths.map((path) => [path, fields.find(({ pointer }) => pointer === pointerTo(...path.split('.')))]),
  );
}
