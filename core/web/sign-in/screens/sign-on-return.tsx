import { useEffect, useRef, useState } from 'react';
import { FormMessages } from '../parts/form-frame.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { useSignIn } from '../sign-in-context.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import { classes } from '../sign-in-classes.ts';

/** The identity provider sent the browser back: its code is exchanged for a session, once. */
export function SignOnReturn() {
  const { api, finish } = useSignIn();
  const [failure, setFailure] = useState<SignInFailure>();
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const query = new URLSearchParams(location.search);
    // The code is of no use to anybody who looks over a shoulder or into the history.
    history.replaceState(null, '', location.pathname);
    const tokens = query.has('code') ? api.exchangeCode(query) : Promise.reject(new SignInFailure('core.signIn.failed.signOn'));
    tokens.then(finish, (cause: unknown) => {
      const known = cause instanceof SignInFailure && cause.word !== 'core.signIn.failed.credentials' && cause.word !== 'core.signIn.failed.refused';
      setFailure(known ? cause : new SignInFailure('core.signIn.failed.signOn', {}, undefined, { cause }));
    });
  }, [api, finish]);
  return (
    <>
      <FormMessages failure={failure} />
      {failure === undefined ? null : (
        <div className={classes.links}>
          <ScreenLink to="login" word="core.signIn.back" />
        </div>
      )}
    </>
  );
}
