import { Link } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';

/** Minimum time between two mails. */
const pauseSeconds = 30;

export interface ResendCodeProps {
  /** Returns the email address in the form. */
  readonly email: () => string;
  readonly onSent: () => void;
  readonly onFailed: (failure: unknown) => void;
}

/** Sends a new code, at most every 30 seconds, with a countdown. */
export function ResendCode({ email, onSent, onFailed }: ResendCodeProps) {
  const { api, text } = useSignIn();
  const [remainingSeconds, setRemainingSeconds] = useState(0);
  useEffect(() => {
    if (remainingSeconds === 0) return undefined;
    const timer = setTimeout(() => setRemainingSeconds(remainingSeconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [remainingSeconds]);
  const resend = () => {
    if (remainingSeconds > 0) return;
    setRemainingSeconds(pauseSeconds);
    api.resendCode(email()).then(onSent, (cause: unknown) => {
      setRemainingSeconds(0);
      onFailed(cause);
    });
  };
  return (
    <Link as="button" type="button" className={classes.link} disabledFocusable={remainingSeconds > 0} onClick={resend}>
      {remainingSeconds > 0
        ? text('core.signIn.resend.wait', { seconds: remainingSeconds })
        : text('core.signIn.resend')}
    </Link>
  );
}
