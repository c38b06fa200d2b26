import { Field, Input } from '@fluentui/react-components';
import type { HTMLInputAutoCompleteAttribute, KeyboardEvent, ReactNode } from 'react';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';
import type { FieldState } from '../../forms/use-form-state.ts';
import type { MessageId } from '../sign-in-messages.ts';

export interface SignInFieldProps {
  readonly field: FieldState<string>;
  readonly label: MessageId;
  readonly hint?: string | undefined;
  readonly type: 'email' | 'password' | 'text';
  readonly autoComplete: HTMLInputAutoCompleteAttribute;
  readonly autoFocus?: boolean;
  readonly inputMode?: 'numeric' | 'email';
  readonly maxLength?: number;
  readonly className?: string;
  readonly contentAfter?: ReactNode;
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
}

/** A labelled input. The space for its error message is reserved. */
export function SignInField({
  field,
  label,
  hint,
  type,
  autoComplete,
  autoFocus,
  inputMode,
  maxLength,
  className,
  contentAfter,
  onKey,
}: SignInFieldProps) {
  const { text } = useSignIn();
  return (
    <Field
      className={classes.field}
      label={text(label)}
      size="large"
      {...(field.error === undefined
        ? hint === undefined
          ? {}
          : { hint }
        : {
            validationState: 'error' as const,
            validationMessage: text(field.error.message as MessageId, field.error.values),
          })}
    >
      <Input
        className={classes.input}
        name={field.name}
        type={type}
        size="large"
        value={field.value}
        onChange={(_, data) => field.onChange(data.value)}
        onBlur={field.onBlur}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        {...(autoFocus === true ? { autoFocus } : {})}
        {...(inputMode === undefined ? {} : { inputMode })}
        {...(maxLength === undefined ? {} : { maxLength })}
        {...(contentAfter === undefined ? {} : { contentAfter: <>{contentAfter}</> })}
        {...(onKey === undefined ? {} : { onKeyDown: onKey, onKeyUp: onKey })}
        input={{ ref: field.ref, ...(className === undefined ? {} : { className }) }}
      />
    </Field>
  );
}
