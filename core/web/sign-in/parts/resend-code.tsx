import { Link } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { useSignIn } from '../sign-in-context.ts';
import { classes } from '../sign-in-classes.ts';

/** Minimum seconds between two mails. */
const pause = 30;

export interface ResendCodeProps {
  /** The address currently in the form. */
  readonly email: () => string;
  readonly onSent: () => void;
  readonly onFailed: (failure: unknown) => void;
}

/** Sends a new code, at most every 30 seconds, with a countdown. */
export function ResendCode({ email, onSent, onFailed }: ResendCodeProps) {
  const { api, text } = useSignIn();
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  const resend = () => {
    if (left > 0) return;
    setLeft(pause);
    api.resendCode(email()).then(onSent, (cause: unknown) => {
      setLeft(0);
      onFailed(cause);
    });
  };
  return (
    <Link as="button" type="button" className={classes.link} disabledFocusable={left > 0} onClick={resend}>
      {left > 0 ? text('core.signIn.resend.wait', { seconds: left }) : text('core.signIn.resend')}
    </Link>
  );
}
