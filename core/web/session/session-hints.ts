import { basePath, cookieNames } from '#core';
import { readCookie } from '../kernel/device-choices.ts';
import type { RenewalHint } from '../http/renewal-call.ts';

/** Who was signed in last on this device, from the readable cookies. Hints only: the server believes none of it. */
export interface SessionHints extends RenewalHint {
  /** False where it is certain that nobody is signed in, so that the server need not be asked. */
  readonly maybeSignedIn: boolean;
  forget(): void;
}

/**
 * `sameOrigin`: the server that sets the cookies is the page's own; else they cannot be read, and nothing is certain.
 */
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

  forget(): void {
    for (const name of [cookieNames.username, cookieNames.isAdmin]) {
      for (const path of ['/', basePath]) document.cookie = `${name}=; Path=${path}; Max-Age=0; SameSite=Strict`;
    }
  }
}
