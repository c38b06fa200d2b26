import { createRef, useEffectEvent, useLayoutEffect, useRef, useState, type FormEvent, type RefObject } from 'react';
import type { Refusal, Rule } from '#core';
import { firstRefusal } from '#core';
import { SignInFailure } from './sign-in-failure.ts';

export type Values<Name extends string> = Readonly<Record<Name, string>>;

export interface SignInField {
  readonly name: string;
  readonly value: string;
  readonly refusal: Refusal | undefined;
  readonly input: RefObject<HTMLInputElement | null>;
  onChange(value: string): void;
  onBlur(): void;
}

export interface SignInForm<Name extends string> {
  readonly busy: boolean;
  readonly failure: SignInFailure | undefined;
  readonly fields: Readonly<Record<Name, SignInField>>;
  setFailure(failure: SignInFailure | undefined): void;
  submit(event: FormEvent<HTMLFormElement>): void;
}

export interface SignInFormOptions<Name extends string> {
  /** In the order in which the fields stand: the first that is refused gets the focus. */
  readonly rules: Readonly<Record<Name, readonly Rule<string>[]>>;
  readonly initial?: Partial<Values<NoInfer<Name>>>;
  /** The field that has the focus after the server refused. */
  readonly focusAfterFailure: NoInfer<Name>;
  send(values: Values<Name>): Promise<void>;
}

/**
 * A form whose fields are checked when they are left and when it is sent. What was typed before the script came is
 * taken over, and nothing typed is lost by a refusal. One submission at a time.
 */
export function useSignInForm<Name extends string>({
  rules,
  initial,
  focusAfterFailure,
  send,
}: SignInFormOptions<Name>): SignInForm<Name> {
  const names = Object.keys(rules) as Name[];
  const [values, setValues] = useState<Partial<Values<Name>>>({});
  const [refusals, setRefusals] = useState<Partial<Record<Name, Refusal>>>({});
  const [failure, setFailure] = useState<SignInFailure>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const [inputs] = useState(
    () =>
      Object.fromEntries(names.map((name) => [name, createRef()])) as Record<Name, RefObject<HTMLInputElement | null>>,
  );
  const valueOf = (name: Name) => inputs[name].current?.value ?? values[name] ?? '';
  const put = (name: Name, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const check = (name: Name) => firstRefusal(valueOf(name), rules[name]);

  const takeOverValues = useEffectEvent(() => {
    for (const name of names) {
      const typed = inputs[name].current?.value;
      const value = typed === undefined || typed === '' ? initial?.[name] : typed;
      if (value !== undefined && value !== '') put(name, value);
    }
  });
  // Once: a person may have typed into the prerendered page before the form took it over.
  useLayoutEffect(() => takeOverValues(), []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending.current) return;
    const found = Object.fromEntries(
      names.flatMap((name) => ((refusal) => (refusal ? [[name, refusal]] : []))(check(name))),
    ) as Partial<Record<Name, Refusal>>;
    setRefusals(found);
    setFailure(undefined);
    const first = names.find((name) => found[name] !== undefined);
    if (first !== undefined) {
      inputs[first].current?.focus();
      return;
    }
    sending.current = true;
    setBusy(true);
    send(Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Values<Name>)
      .catch((cause: unknown) => {
        setFailure(
          cause instanceof SignInFailure
            ? cause
            : new SignInFailure('core.signIn.failed.general', {}, undefined, { cause }),
        );
        inputs[focusAfterFailure].current?.focus();
      })
      .finally(() => {
        sending.current = false;
        setBusy(false);
      });
  };

  const fieldOf = (name: Name): SignInField => ({
    name,
    value: values[name] ?? '',
    refusal: refusals[name],
    input: inputs[name],
    onChange: (value) => {
      put(name, value);
      if (refusals[name] !== undefined)
        setRefusals((before) => ({ ...before, [name]: firstRefusal(value, rules[name]) }));
    },
    // An untouched field is not called wrong because somebody went past it.
    onBlur: () => {
      if (valueOf(name) !== '') setRefusals((before) => ({ ...before, [name]: check(name) }));
    },
  });

  return {
    busy,
    failure,
    setFailure,
    submit,
    fields: Object.fromEntries(names.map((name) => [name, fieldOf(name)])) as Record<Name, SignInField>,
  };
}
