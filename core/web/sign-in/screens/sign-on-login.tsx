import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { ProviderId } from '#core';
import { FormMessages } from '../parts/form-frame.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { rememberNext } from '../next-address.ts';
import { useSignIn } from '../sign-in-context.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import { classes } from '../sign-in-classes.ts';

/** Single sign-on: one button a provider, and a quiet way to the admin login. */
export function SignOnLogin({
  leave = (address: string) => location.assign(address),
}: {
  readonly leave?: (address: string) => void;
}) {
  const { api, product, words } = useSignIn();
  const [chosen, setChosen] = useState<ProviderId>();
  const [failure, setFailure] = useState<SignInFailure>();
  const start = (provider: ProviderId) => {
    if (chosen !== undefined) return;
    setChosen(provider);
    setFailure(undefined);
    rememberNext(location.search);
    api.startSignOn(provider).then(leave, (cause: unknown) => {
      setChosen(undefined);
      setFailure(
        cause instanceof SignInFailure
          ? cause
          : new SignInFailure('core.signIn.failed.general', {}, undefined, { cause }),
      );
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
            disabledFocusable={chosen !== undefined}
            onClick={() => start(id)}
          >
            {chosen === id ? words('core.signIn.busy') : words('core.signIn.with', { provider: label })}
          </Button>
        ))}
      </div>
      <FormMessages failure={failure} />
      <div className={classes.links}>
        <ScreenLink to="adminLogin" word="core.signIn.toAdmin" quiet />
      </div>
    </>
  );
}
