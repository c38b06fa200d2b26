import { Button } from '@fluentui/react-components';
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off';
import { EyeRegular } from '@fluentui/react-icons/svg/eye';
import { useState, type KeyboardEvent } from 'react';
import { minPasswordLength } from '#core';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';
import type { FieldState } from '../../forms/use-form-state.ts';
import { SignInField } from './sign-in-field.tsx';

export interface PasswordFieldProps {
  readonly field: FieldState<string>;
  /** For a new password: password managers suggest one. */
  readonly chosen?: boolean;
  readonly autoFocus?: boolean;
}

/** A password field with a button to show it and a Caps Lock hint. */
export function PasswordField({ field, chosen = false, autoFocus = false }: PasswordFieldProps) {
  const { text, product } = useSignIn();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent<HTMLInputElement>) => {
    // Synthetic events of password managers have no modifier state.
    if (typeof event.getModifierState === 'function') setCapsLock(event.getModifierState('CapsLock'));
  };
  const rule = chosen ? text('core.signIn.newPassword.hint', { min: minPasswordLength(product.login) }) : undefined;
  const hint = capsLock ? text('core.signIn.capsLock') : rule;
  return (
    <SignInField
      field={field}
      label={chosen ? 'core.signIn.newPassword' : 'core.signIn.password'}
      hint={hint}
      type={shown ? 'text' : 'password'}
      autoComplete={chosen ? 'new-password' : 'current-password'}
      autoFocus={autoFocus}
      onKey={watchCapsLock}
      contentAfter={
        <Button
          className={classes.reveal}
          appearance="transparent"
          icon={shown ? <EyeOffRegular /> : <EyeRegular />}
          aria-label={text(shown ? 'core.signIn.hidePassword' : 'core.signIn.showPassword')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
