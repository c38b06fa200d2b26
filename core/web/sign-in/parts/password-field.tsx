import { Button } from '@fluentui/react-components';
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off';
import { EyeRegular } from '@fluentui/react-icons/svg/eye';
import { useState, type KeyboardEvent } from 'react';
import { getMinPasswordLength } from '#core';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';
import type { FieldState } from '../../forms/use-form-state.ts';
import { SignInField } from './sign-in-field.tsx';

export interface PasswordFieldProps {
  readonly field: FieldState<string>;
  /** True for a new password, which password managers suggest. */
  readonly isNew?: boolean;
  readonly autoFocus?: boolean;
}

/** A password field with a button to show it and a Caps Lock hint. */
export function PasswordField({ field, isNew = false, autoFocus = false }: PasswordFieldProps) {
  const { text, product } = useSignIn();
  const [visible, setVisible] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent<HTMLInputElement>) => {
    // Synthetic events of password managers have no modifier state.
    if (typeof event.getModifierState === 'function') setCapsLock(event.getModifierState('CapsLock'));
  };
  const rule = isNew ? text('core.signIn.newPassword.hint', { min: getMinPasswordLength(product.login) }) : undefined;
  const hint = capsLock ? text('core.signIn.capsLock') : rule;
  return (
    <SignInField
      field={field}
      label={isNew ? 'core.signIn.newPassword' : 'core.signIn.password'}
      hint={hint}
      type={visible ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      autoFocus={autoFocus}
      onKey={watchCapsLock}
      contentAfter={
        <Button
          className={classes.reveal}
          appearance="transparent"
          icon={visible ? <EyeOffRegular /> : <EyeRegular />}
          aria-label={text(visible ? 'core.signIn.hidePassword' : 'core.signIn.showPassword')}
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
        />
      }
    />
  );
}
