import { useState, type FormEvent, type RefCallback } from 'react';
import { useIntl } from 'react-intl';
import { parseTypedNumber, toPointer, type ValidationError, type Rule } from '#core';
import type { FieldPath, PathTo, ValueAt } from '../forms/field-path.ts';
import { isEqual, nestedFields, type CrossFieldValidator } from '../forms/nested-fields.ts';
import { useFormState, type FieldErrors, type FormState, type FormStateOptions } from '../forms/use-form-state.ts';
import { useText } from '../i18n/use-text.ts';
import { ApiError } from '../kernel/services.ts';

interface FormControl {
  readonly name: string;
  readonly disabled: boolean;
  readonly ref: RefCallback<HTMLElement>;
  onBlur(): void;
}

/** Props of an input or select: `<Input {...form.input('name')} />`. */
export interface FormInput extends FormControl {
  readonly value: string;
  onChange(event: unknown, data: { readonly value: string }): void;
}

/** Props of a checkbox: `<Checkbox {...form.checkbox('active')} />`. */
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
  /** True if a value differs from its initial value. */
  readonly changed: boolean;
  /** A field for other controls than text, number and checkbox, such as a list. */
  readonly state: FormState<T>['field'];
  /** A text field. Days are texts such as `2026-11-21`. */
  input(path: PathTo<T, string>): FormInput;
  /** A number field. The value is undefined if empty, and NaN for invalid input, which the rule `number` refuses. */
  number(path: PathTo<T, number | null | undefined>): FormInput;
  checkbox(path: PathTo<T, boolean>): FormCheckbox;
  field(path: FieldPath<T>): FormField;
  submit(event: FormEvent): void;
}

export interface FormOptions<T extends object> extends Pick<FormStateOptions<T>, 'initial' | 'send'> {
  /**
   * Rules by path. The first invalid field in this order gets the focus. `*` matches each item of a list.
   */
  readonly rules: {
    readonly [Path in FieldPath<T, `${number}` | '*'>]?: readonly Rule<ValueAt<T, Path>>[];
  };
  /** Rules that need more than one field. */
  readonly validateTogether?: (values: T) => { readonly [Path in FieldPath<T>]?: ValidationError };
}

/** A form with typed values for Fluent's controls. A server error appears at the field that it names. */
export function useForm<T extends object>({ initial, rules, validateTogether, send }: FormOptions<T>): Form<T> {
  const t = useText();
  /** Such as the comma of `0,5` in French. */
  const decimalSign = useIntl().formatNumber(0.5).charAt(1);
  const form = useFormState<T>({
    initial,
    fields: nestedFields(rules, validateTogether as CrossFieldValidator | undefined),
    send,
    toFieldErrors,
  });
  const { busy, failure, submit } = form;
  /** The input of number fields, because an incomplete `1.` may become 1.5. */
  const [numberInputs, setNumberInputs] = useState<Readonly<Record<string, string>>>({});
  const state = form.field as (path: string) => ReturnType<typeof form.field>;
  const buildControl = (path: string): FormControl => {
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
        ...buildControl(path),
        value: String(value ?? ''),
        onChange: (_, data) => onChange(data.value as never),
      };
    },
    number: (path) => {
      const { value, onChange } = state(path);
      const text = numberInputs[path];
      return {
        ...buildControl(path),
        value:
          text !== undefined && Object.is(parseTypedNumber(text, decimalSign), value ?? undefined)
            ? text
            : String(value ?? '').replace('.', decimalSign),
        onChange: (_, data) => {
          setNumberInputs((previous) => ({ ...previous, [path]: data.value }));
          onChange(parseTypedNumber(data.value, decimalSign) as never);
        },
      };
    },
    checkbox: (path) => {
      const { value, onChange } = state(path);
      return {
        ...buildControl(path),
        checked: Boolean(value),
        onChange: (_, data) => onChange((data.checked === true) as never),
      };
    },
    field: (path) => {
      const { error } = state(path);
      return error
        ? { validationState: 'error', validationMessage: t(error.message, error.values) }
        : { validationState: 'none' };
    },
  };
}

function toFieldErrors(failure: unknown, paths: readonly string[]): FieldErrors {
  const fields = failure instanceof ApiError ? (failure.body?.fields ?? []) : [];
  return Object.fromEntries(
    paths.map((path) => [path, fields.find(({ pointer }) => pointer === toPointer(...path.split('.')))]),
  );
}
