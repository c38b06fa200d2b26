import { cookieNames } from '#core';
import { readCookie } from '../kernel/device-choices.ts';
import { parseInnerUrl } from './next-url.ts';
import type { SignInNotice } from './sign-in-context.ts';

/** Parameters of the sign-in entry, from the URL and the cookies. */
export interface EntryParams {
  /** The email address in a mail's link, else that of the last person of this browser. */
  readonly email: string;
  readonly notice: SignInNotice | undefined;
  /** The requested inner URL. */
  readonly next: string | undefined;
}

/** Notices by the query's parameters `error` and `done`, which explain the login. */
const notices: Readonly<Record<string, SignInNotice>> = {
  'error=userData': { kind: 'failed', messageId: 'core.signIn.failed.userData' },
  'error=inactive': { kind: 'failed', messageId: 'core.signIn.failed.inactive' },
  'done=loggedOut': { kind: 'done', messageId: 'core.signIn.done.loggedOut' },
  'done=activated': { kind: 'done', messageId: 'core.signIn.done.activated' },
  'done=reset': { kind: 'done', messageId: 'core.signIn.done.reset' },
};

export function parseEntryParams(search: string): EntryParams {
  const query = new URLSearchParams(search);
  const notice = ['error', 'done']
    .map((name) => notices[`${name}=${query.get(name)}`])
    .find((candidate) => candidate !== undefined);
  return {
    email: query.get('username') ?? readCookie(cookieNames.username) ?? '',
    notice,
    next: parseInnerUrl(query.get('next')),
  };
}
