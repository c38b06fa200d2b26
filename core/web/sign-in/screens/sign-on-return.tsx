import { useEffect, useRef } from 'react';
import { FormMessages } from '../parts/form-frame.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { useSignIn, type SignInNotice } from '../sign-in-context.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import { classes } from '../sign-in-classes.ts';
import type { MessageId } from '../sign-in-messages.ts';

/** Messages that mention no password or code, because this screen has no input. */
const messageOverrides: Readonly<Partial<Record<MessageId, MessageId>>> = {
  'core.signIn.failed.credentials': 'core.signIn.failed.signOn',
  'core.signIn.failed.refused': 'core.signIn.failed.signOn',
  'core.signIn.failed.code': 'core.signIn.failed.signOn',
  'core.signIn.failed.noAccess': 'core.signIn.failed.signOn.noAccess',
  'core.signIn.failed.offline': 'core.signIn.failed.signOn.offline',
  'core.signIn.failed.unavailable': 'core.signIn.failed.signOn.unavailable',
  'core.signIn.failed.general': 'core.signIn.failed.signOn.general',
};

function toNotice(cause: unknown): SignInNotice {
  if (!(cause instanceof SignInFailure)) return { kind: 'failed', messageId: 'core.signIn.failed.signOn.general' };
  const { messageId, values, reference } = cause;
  return {
    kind: 'failed',
    messageId: messageOverrides[messageId] ?? messageId,
    values,
    ...(reference === undefined ? {} : { reference }),
  };
}

/** The screen after the identity provider. It exchanges the provider's code for a session, once. */
export function SignOnReturn() {
  const { api, finish, openScreen, notice } = useSignIn();
  const requested = useRef(false);
  useEffect(() => {
    if (requested.current) return;
    requested.current = true;
    const query = new URLSearchParams(location.search);
    // Removes the code from the address bar and the history.
    history.replaceState(null, '', location.pathname);
    const tokens = query.has('code')
      ? api.exchangeCode(query)
      : Promise.reject(new SignInFailure('core.signIn.failed.signOn'));
    tokens.then(finish).catch((cause: unknown) => openScreen('return', toNotice(cause)));
  }, [api, finish, openScreen]);
  return (
    <>
      <FormMessages failure={undefined} />
      {notice === undefined ? null : (
        <div className={classes.links}>
          <ScreenLink to="login" messageId="core.signIn.back" />
        </div>
      )}
    </>
  );
}
