import { email, mandatoryField } from '#core';
import { oneTimeCode, stripSeparators } from '../one-time-code.ts';
import { CodeField } from '../parts/code-field.tsx';
import { flatFields, useFormState } from '../../forms/use-form-state.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import { ResendCode } from '../parts/resend-code.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { SignInField } from '../parts/sign-in-field.tsx';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';

const fields = flatFields({ email: [mandatoryField, email], code: [mandatoryField, oneTimeCode] });

/** Activates an account by a mailed code. The code works only in the browser in which the person registered. */
export function Activate() {
  const { api, email: knownEmail, openScreen, passwordScreen, setEmail } = useSignIn();
  const form = useFormState({
    fields,
    initial: { email: '', code: '' },
    prerendered: { email: knownEmail },
    focusAfterFailure: 'code',
    send: async (values) => {
      const address = values.email.trim();
      await api.activate(address, stripSeparators(values.code));
      setEmail(address);
      openScreen(passwordScreen, { kind: 'done', messageId: 'core.signIn.done.activated' });
    },
  });
  return (
    <>
      <FormFrame form={form} button="core.signIn.submit.activate">
        <SignInField
          field={form.field('email')}
          label="core.signIn.email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoFocus={knownEmail === ''}
        />
        <CodeField field={form.field('code')} autoFocus={knownEmail !== ''} />
      </FormFrame>
      <div className={classes.links}>
        <ScreenLink to="register" messageId="core.signIn.register.again" />
        <ResendCode
          email={() => form.field('email').value.trim()}
          onSent={() => openScreen('activate', { kind: 'done', messageId: 'core.signIn.resend.done.activate' })}
          onFailed={form.setFailure}
        />
        <ScreenLink to={passwordScreen} messageId="core.signIn.back" quiet />
      </div>
    </>
  );
}
