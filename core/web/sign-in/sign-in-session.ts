import { basePath } from '#core';
import type { Tokens } from '#core/api';
import { openRenewalLock } from '../session/renewal-lock.ts';
import { transferredTokens, type SessionChannel } from '../session/session-channel.ts';
import { addressAfterSignIn, forgetNext } from './next-address.ts';
import type { SignInApi } from './sign-in-api.ts';

export interface SignInSessionOptions {
  readonly channel: SessionChannel;
  /** The admin login leads to the admin area. */
  readonly admin: () => boolean;
  readonly leave: (address: string) => void;
}

export interface SignInSession {
  /** Passes the access token to the other tabs and opens the requested address. */
  finish(tokens: Tokens): Promise<void>;
  /** Resumes the browser's session. Rejects with `SignInFailure` if there is none. */
  resume(api: SignInApi, username: string, isAdmin: boolean): Promise<void>;
  /** Opens the application as a new page. Stays pending until the page unloads. */
  goOn(): Promise<never>;
}

/** Ends the sign-in: the application is a separate page that renews by the cookie of the login. */
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
      // All tabs share this lock: a rotated refresh token must not be sent twice.
      const reply = await openRenewalLock(navigator.locks)(() => api.renew(username, isAdmin));
      channel.post({ type: 'TOKEN_VALID', tokens: transferredTokens(reply) });
      await goOn();
    },
  };
}
