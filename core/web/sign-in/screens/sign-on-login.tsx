import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { ProviderId } from '#core';
import { FormMessages } from '../parts/form-frame.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { saveNextUrl } from '../next-url.ts';
import { useSignIn } from '../sign-in-context.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import { classes } from '../sign-in-classes.ts';

/** The login by single sign-on, with one button per provider and a link to the admin login. */
export function SignOnLogin({
  leave = (url: string) => location.assign(url),
}: {
  readonly leave?: (url: string) => void;
}) {
  const { api, product, text } = useSignIn();
  const [pendingProvider, setPending] = useState<ProviderId>();
  const [providersNotSetUp, setNotSetUp] = useState<readonly ProviderId[]>([]);
  const [failure, setFailure] = useState<unknown>();
  const start = (provider: ProviderId) => {
    if (pendingProvider !== undefined || providersNotSetUp.includes(provider)) return;
    setPending(provider);
    setFailure(undefined);
    saveNextUrl(location.search);
    api.startSignOn(provider).then(leave, (cause: unknown) => {
      setPending(undefined);
      if (!isNotSetUp(cause)) return setFailure(cause);
      setFailure(withProvider(cause, product.login.providers.find(({ id }) => id === provider)?.label ?? ''));
      setNotSetUp((previous) => [...previous, provider]);
    });
  };
  return (
    <>
      <div className={classes.providers}>
        {product.login.providers.map(({ id, label }, index) => (
          <Button
            key={id}
            className={classes.submit}
            appearance={index === 0 ? 'primary' : 'secondary'}
            size="large"
            disabledFocusable={pendingProvider !== undefined || providersNotSetUp.includes(id)}
            onClick={() => start(id)}
          >
            {pendingProvider === id
              ? text('core.signIn.busy')
              : text(providersNotSetUp.includes(id) ? 'core.signIn.with.notSetUp' : 'core.signIn.with', {
                  provider: label,
                })}
          </Button>
        ))}
      </div>
      <FormMessages failure={failure} />
      <div className={classes.links}>
        <ScreenLink to="adminLogin" messageId="core.signIn.toAdmin" quiet />
      </div>
    </>
  );
}

const isNotSetUp = (cause: unknown): cause is SignInFailure =>
  cause instanceof SignInFailure && cause.messageId === 'core.signIn.failed.notSetUp';

function withProvider(cause: SignInFailure, provider: string): SignInFailure {
  return new SignInFailure(cause.messageId, { provider }, undefined, { cause });
}
