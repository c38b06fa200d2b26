import { basePath, cookieNames } from '#core';
import { readCookie } from '../kernel/device-choices.ts';
import type { RenewalHints } from '../http/renewal-call.ts';

/** The last person of this device, from readable cookies. The server does not trust these hints. */
export interface SessionHints extends RenewalHints {
  /** False if nobody can be signed in, so that no request is needed. */
  readonly maybeSignedIn: boolean;
  clear(): void;
}

/** Cookies are readable only if the page's own server sets them (`sameOrigin`). */
export class CookieSessionHints implements SessionHints {
  readonly #sameOrigin: boolean;

  constructor(sameOrigin: boolean) {
    this.#sameOrigin = sameOrigin;
  }

  get username(): string {
    return readCookie(cookieNames.username) ?? '';
  }

  get isAdmin(): boolean {
    return readCookie(cookieNames.isAdmin) === 'true';
  }

  get maybeSignedIn(): boolean {
    return !this.#sameOrigin || this.username !== '';
  }

  clear(): void {
    for (const name of [cookieNames.username, cookieNames.isAdmin]) {
      for (const path of ['/', basePath]) document.cookie = `${name}=; Path=${path}; Max-Age=0; SameSite=Strict`;
    }
  }
}
