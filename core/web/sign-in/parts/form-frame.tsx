import { Button } from '@fluentui/react-components';
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle';
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle';
import type { FormEvent, ReactNode } from 'react';
import { toSignInFailure } from '../sign-in-failure.ts';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';
import type { MessageId } from '../sign-in-messages.ts';

export interface FormMessagesProps {
  readonly failure: unknown;
}

/** Shows the failure, else the notice of the previous screen. Reserves its space while it is empty. */
export function FormMessages({ failure }: FormMessagesProps) {
  const { notice, text } = useSignIn();
  const shownFailure = failure ? toSignInFailure(failure) : notice?.kind === 'failed' ? notice : undefined;
  const reference = shownFailure?.reference;
  return (
    <div className={classes.messages}>
      <div role="alert">
        {shownFailure === undefined ? null : (
          <p className={classes.failure}>
            <ErrorCircleRegular className={classes.icon} />
            <span>
              {text(shownFailure.messageId, shownFailure.values)}
              {reference === undefined ? null : (
                <span className={classes.reference}>{text('core.signIn.failed.reference', { reference })}</span>
              )}
            </span>
          </p>
        )}
      </div>
      <div role="status">
        {shownFailure === undefined && notice !== undefined ? (
          <p className={classes.notice}>
            <CheckmarkCircleRegular className={classes.icon} />
            <span>{text(notice.messageId, notice.values)}</span>
          </p>
        ) : null}
      </div>
    </div>
  );
}

export interface FormFrameProps {
  readonly form: {
    readonly busy: boolean;
    readonly failure: unknown;
    submit(event: FormEvent): void;
  };
  readonly button: MessageId;
  readonly children: ReactNode;
}

/**
 * A form with fields, messages and a button. `method="dialog"` keeps the password of a submission before hydration out
 * of the URL. `SignInApp` repeats that submission.
 */
export function FormFrame({ form, button, children }: FormFrameProps) {
  const { text } = useSignIn();
  return (
    <form className={classes.form} method="dialog" noValidate onSubmit={form.submit} aria-busy={form.busy}>
      {children}
      <FormMessages failure={form.failure} />
      <Button className={classes.submit} type="submit" appearance="primary" size="large" disabledFocusable={form.busy}>
        {form.busy
          ? text(button === 'core.signIn.submit' ? 'core.signIn.submit.busy' : 'core.signIn.busy')
          : text(button)}
      </Button>
    </form>
  );
}
