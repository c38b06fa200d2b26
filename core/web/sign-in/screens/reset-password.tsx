import { email, mandatoryField, minLength, getMinPasswordLength } from '#core';
import { oneTimeCode, stripSeparators } from '../one-time-code.ts';
import { CodeField } from '../parts/code-field.tsx';
import { flatFields, useFormState } from '../../forms/use-form-state.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { ResendCode } from '../parts/resend-code.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { SignInField } from '../parts/sign-in-field.tsx';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';

/** Sets a new password with a mailed code. */
export function ResetPassword() {
  const { api, email: knownEmail, openScreen, passwordScreen, product, setEmail } = useSignIn();
  const form = useFormState({
    fields: flatFields({
      email: [mandatoryField, email],
      code: [mandatoryField, oneTimeCode],
      password: [mandatoryField, minLength(getMinPasswordLength(product.login))],
    }),
    initial: { email: '', code: '', password: '' },
    prerendered: { email: knownEmail },
    focusAfterFailure: 'code',
    send: async (values) => {
      const address = values.email.trim();
      await api.resetPassword(address, values.password, stripSeparators(values.code));
      setEmail(address);
      openScreen(passwordScreen, { kind: 'done', messageId: 'core.signIn.done.reset' });
    },
  });
  return (
    <>
      <FormFrame form={form} button="core.signIn.submit.reset">
        <SignInField
          field={form.field('email')}
          label="core.signIn.email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoFocus={knownEmail === ''}
        />
        <CodeField field={form.field('code')} autoFocus={knownEmail !== ''} />
        <PasswordField field={form.field('password')} isNew />
      </FormFrame>
      <div className={classes.links}>
        <ResendCode
          email={() => form.field('email').value.trim()}
          onSent={() => openScreen('reset', { kind: 'done', messageId: 'core.signIn.resend.done' })}
          onFailed={form.setFailure}
        />
        <ScreenLink to={passwordScreen} messageId="core.signIn.back" quiet />
      </div>
    </>
  );
}
