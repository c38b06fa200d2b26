import { email, mandatoryField, minLength, getMinPasswordLength } from '#core';
import { flatFields, useFormState } from '../../forms/use-form-state.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { SignInField } from '../parts/sign-in-field.tsx';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';

/** Sets the password of an invited account. */
export function Register() {
  const { api, email: knownEmail, openScreen, passwordScreen, product, setEmail } = useSignIn();
  const form = useFormState({
    fields: flatFields({
      email: [mandatoryField, email],
      password: [mandatoryField, minLength(getMinPasswordLength(product.login))],
    }),
    initial: { email: '', password: '' },
    prerendered: { email: knownEmail },
    focusAfterFailure: 'password',
    send: async (values) => {
      const address = values.email.trim();
      await api.register(address, values.password);
      setEmail(address);
      openScreen('activate', { kind: 'done', messageId: 'core.signIn.done.registered', values: { email: address } });
    },
  });
  return (
    <>
      <FormFrame form={form} button="core.signIn.submit.register">
        <SignInField
          field={form.field('email')}
          label="core.signIn.email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoFocus={knownEmail === ''}
        />
        <PasswordField field={form.field('password')} isNew autoFocus={knownEmail !== ''} />
      </FormFrame>
      <div className={classes.links}>
        {product.login.type === 'EMAIL_PW' ? null : <ScreenLink to="login" messageId="core.signIn.register.signOn" />}
        <ScreenLink to={passwordScreen} messageId="core.signIn.back" quiet />
      </div>
    </>
  );
}
