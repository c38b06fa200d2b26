import { basePath } from '#core';
import type { Tokens } from '#core/api';
import { openRenewalLock } from '../session/renewal-lock.ts';
import { transferredTokens, type SessionChannel } from '../session/session-channel.ts';
import { addressAfterSignIn, forgetNext } from './next-address.ts';
import type { SignInApi } from './sign-in-api.ts';

export interface SignInSessionOptions {
  readonly channel: SessionChannel;
  /** From the admin login a person goes on to the admin area. */
  readonly admin: () => boolean;
  readonly leave: (address: string) => void;
}

export interface SignInSession {
  /**
   * Somebody is signed in: the other tabs are told and given the access token, then the person goes where they wanted
   * to.
   */
  finish(tokens: Tokens): Promise<void>;
  /** Goes on where the browser still has a session. Rejects with `SignInFailure` where it has none. */
  resume(api: SignInApi, username: string, isAdmin: boolean): Promise<void>;
  /**
   * Leaves this page for the application. Never settles: a screen that waits for it stays as it is until the next page
   * is there.
   */
  goOn(): Promise<never>;
}

/** How sign-in ends: the application is a page of its own, which renews by the cookie that came with the login. */
export function signInSession({ channel, admin, leave }: SignInSessionOptions): SignInSession {
  const goOn = () => {
    const address = `${basePath}${addressAfterSignIn(location.search, admin())}`;
    forgetNext();
    leave(address);
    return new Promise<never>(() => undefined);
  };
  return {
    goOn,
    finish: (reply) => {
      const tokens = transferredTokens(reply);
      channel.post({ type: 'LOGIN', tokens });
      channel.post({ type: 'TOKEN_VALID', tokens });
      return goOn();
    },
    resume: async (api, username, isAdmin) => {
      // Under the lock of all tabs: a rotated refresh token must not be sent twice.
      const reply = await openRenewalLock(navigator.locks)(() => api.renew(username, isAdmin));
      channel.post({ type: 'TOKEN_VALID', tokens: transferredTokens(reply) });
      await goOn();
    },
  };
}
