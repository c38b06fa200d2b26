import { useEffect, useState } from 'react';
import type { SignInNotice } from '#core/api';
import { classes } from './sign-in-classes.ts';
import { useSignIn } from './sign-in-context.ts';

/** The maximum delay of a timer. */
const maxDelayMs = 2 ** 31 - 1;

const severities = {
  INFO: 'core.signIn.notice.INFO',
  WARNING: 'core.signIn.notice.WARNING',
  CRITICAL: 'core.signIn.notice.CRITICAL',
} as const;

/** The notices of admins, each until it ends. */
export default function SignInNotices({ notices }: { readonly notices: readonly SignInNotice[] }) {
  return (
    <div className={classes.adminNotices}>
      {notices.map((notice) => (
        <SignInNoticeText key={notice.text} notice={notice} />
      ))}
    </div>
  );
}

function SignInNoticeText({
  notice: { text: english, frenchText, severity, endsInMs },
}: {
  readonly notice: SignInNotice;
}) {
  const { language, text } = useSignIn();
  const [ended, setEnded] = useState(false);
  useEffect(() => {
    if (endsInMs === null || endsInMs > maxDelayMs) return undefined;
    const timer = setTimeout(() => setEnded(true), endsInMs);
    return () => clearTimeout(timer);
  }, [endsInMs]);
  if (ended) return null;
  return (
    <p className={classes.adminNotice} data-severity={severity}>
      <strong>{text(severities[severity])}</strong> {language === 'fr' ? (frenchText ?? english) : english}
    </p>
  );
}
