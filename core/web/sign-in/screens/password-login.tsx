import { email, mandatoryField, password } from '#core';
import { flatFields, useFormState } from '../../forms/use-form-state.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { SignInField } from '../parts/sign-in-field.tsx';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';

const fields = flatFields({ email: [mandatoryField, email], password: [password] });

/** The form for email and password. It is the login of `EMAIL_PW` and the admin login of every product. */
export function PasswordLogin({ admin }: { readonly admin: boolean }) {
  const { api, email: knownEmail, finish, setEmail } = useSignIn();
  const form = useFormState({
    fields,
    initial: { email: '', password: '' },
    prerendered: { email: knownEmail },
    focusAfterFailure: 'password',
    send: async (values) => {
      setEmail(values.email.trim());
      await finish(await api.login(values.email.trim(), values.password, admin));
    },
  });
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
