import { email, mandatoryField } from '#core';
import { flatFields, useFormState } from '../../forms/use-form-state.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { SignInField } from '../parts/sign-in-field.tsx';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';

const fields = flatFields({ email: [mandatoryField, email] });

/** Requests a code by mail. The message does not reveal whether the account exists. */
export function ForgotPassword() {
  const { api, email: knownEmail, openScreen, passwordScreen, setEmail } = useSignIn();
  const form = useFormState({
    fields,
    initial: { email: '' },
    prerendered: { email: knownEmail },
    focusAfterFailure: 'email',
    send: async (values) => {
      const address = values.email.trim();
      await api.requestReset(address);
      setEmail(address);
      openScreen('reset', { kind: 'done', messageId: 'core.signIn.done.codeSent', values: { email: address } });
    },
  });
  return (
    <>
      <FormFrame form={form} button="core.signIn.submit.forgot">
        <SignInField
          field={form.field('email')}
          label="core.signIn.email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoFocus
        />
      </FormFrame>
      <div className={classes.links}>
        <ScreenLink to={passwordScreen} messageId="core.signIn.back" quiet />
      </div>
    </>
  );
}
