import { useState, type ReactNode } from 'react';
import { email, mandatoryField, password } from '#core';
import { flatFields, useFormState } from '../../forms/use-form-state.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { SignInField } from '../parts/sign-in-field.tsx';
import { useSignIn } from '../sign-in-context.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import { classes } from '../sign-in-classes.ts';

const fields = flatFields({ email: [mandatoryField, email], password: [password] });

/**
 * The form for email and password, the login of `EMAIL_PW` and the admin login of every product. The step for a second
 * factor is a lazy chunk, because few people need it here.
 */
export function PasswordLogin({ admin }: { readonly admin: boolean }) {
  const { api, email: knownEmail, finish, setEmail } = useSignIn();
  const [secondStep, setSecondStep] = useState<ReactNode>();
  const form = useFormState({
    fields,
    initial: { email: '', password: '' },
    prerendered: { email: knownEmail },
    focusAfterFailure: 'password',
    send: async (values) => {
      setEmail(values.email.trim());
      const reply = await api.login(values.email.trim(), values.password, admin);
      if ('accessToken' in reply) return finish(reply);
      const { SecondStep } = await import('../second-factor/second-step.tsx').catch((cause: unknown) => {
        throw new SignInFailure('core.signIn.failed.offline', {}, undefined, { cause });
      });
      setSecondStep(<SecondStep challenge={reply} onLeave={setSecondStep} />);
    },
  });
  if (secondStep) return secondStep;
  return (
    <>
      <FormFrame form={form} button="core.signIn.submit">
        <SignInField
          field={form.field('email')}
          label="core.signIn.email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoFocus={knownEmail === ''}
        />
        <PasswordField field={form.field('password')} autoFocus={knownEmail !== ''} />
      </FormFrame>
      <div className={classes.links}>
        <ScreenLink to="forgot" messageId="core.signIn.forgot" />
        {admin ? (
          <ScreenLink to="login" messageId="core.signIn.toUser" quiet />
        ) : (
          <ScreenLink to="register" messageId="core.signIn.register" quiet />
        )}
      </div>
    </>
  );
}
