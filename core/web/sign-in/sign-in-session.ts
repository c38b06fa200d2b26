import { basePath } from '#core';
import type { Tokens } from '#core/api';
import { openRenewalLock } from '../session/renewal-lock.ts';
import { toTransferredToken, type SessionChannel } from '../session/session-channel.ts';
import { findUrlAfterSignIn, clearNextUrl } from './next-url.ts';
import type { SignInApi } from './sign-in-api.ts';

export interface SignInSessionOptions {
  readonly channel: SessionChannel;
  /** True at the admin login, which leads to the admin area. */
  readonly isAdminLogin: () => boolean;
  readonly leave: (url: string) => void;
}

export interface SignInSession {
  /** Sends the access token to the other tabs and opens the requested URL. */
  finish(tokens: Tokens): Promise<void>;
  /** Resumes the browser's session. Rejects with `SignInFailure` if there is none. */
  resume(api: SignInApi, username: string, isAdmin: boolean): Promise<void>;
  /** Opens the application as a new page. Stays pending until the page unloads. */
  openApplication(): Promise<never>;
}

/** Ends the sign-in. The application is a separate page. It gets its access token by the cookie of the login. */
export function createSignInSession({ channel, isAdminLogin, leave }: SignInSessionOptions): SignInSession {
  const openApplication = () => {
    const url = `${basePath}${findUrlAfterSignIn(location.search, isAdminLogin())}`;
    clearNextUrl();
    leave(url);
    return new Promise<never>(() => undefined);
  };
  return {
    openApplication,
    finish: (reply) => {
      const token = toTransferredToken(reply);
      channel.post({ type: 'LOGIN', token });
      channel.post({ type: 'TOKEN_VALID', token });
      return openApplication();
    },
    resume: async (api, username, isAdmin) => {
      // All tabs share this lock, because a rotated refresh token must not be sent twice.
      const reply = await openRenewalLock(navigator.locks)(() => api.renew(username, isAdmin));
      channel.post({ type: 'TOKEN_VALID', token: toTransferredToken(reply) });
      await openApplication();
    },
  };
}
