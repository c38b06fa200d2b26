import { cookieNames } from '#core';
import { readCookie } from '../kernel/device-choices.ts';
import { innerAddress } from './next-address.ts';
import type { SignInNotice } from './sign-in-context.ts';

/** What the address and the browser tell the sign-in entry. */
export interface EntryParams {
  /** From a mail's link, else the last person of this browser. */
  readonly email: string;
  readonly notice: SignInNotice | undefined;
  /** The requested inner address. */
  readonly next: string | undefined;
}

/** Values of the query's `error` and `done`: the reason for the login. */
const notices: Readonly<Record<string, SignInNotice>> = {
  'error=userData': { kind: 'failed', messageId: 'core.signIn.failed.userData' },
  'error=inactive': { kind: 'failed', messageId: 'core.signIn.failed.inactive' },
  'done=loggedOut': { kind: 'done', messageId: 'core.signIn.done.loggedOut' },
  'done=activated': { kind: 'done', messageId: 'core.signIn.done.activated' },
  'done=reset': { kind: 'done', messageId: 'core.signIn.done.reset' },
};

export function parseEntryParams(search: string): EntryParams {
  const query = new URLSearchParams(search);
  const said = ['error', 'done']
    .map((name) => notices[`${name}=${query.get(name)}`])
    .find((notice) => notice !== undefined);
  return {
    email: query.get('username') ?? readCookie(cookieNames.username) ?? '',
    notice: said,
    next: innerAddress(query.get('next')),
  };
}
