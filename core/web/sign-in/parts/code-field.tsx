import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';
import type { FieldState } from '../../forms/use-form-state.ts';
import { SignInField } from './sign-in-field.tsx';

/** The field for the six-digit code from a mail. `autocomplete` lets phones suggest the code. */
export function CodeField({
  field,
  autoFocus = false,
}: {
  readonly field: FieldState<string>;
  readonly autoFocus?: boolean;
}) {
  const { text } = useSignIn();
  return (
    <SignInField
      field={field}
      label="core.signIn.code"
      hint={text('core.signIn.code.hint')}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      autoFocus={autoFocus}
      className={classes.code}
    />
  );
}
