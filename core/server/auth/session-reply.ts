import { cookieLifetimeSeconds, cookieNames, refreshTokenInCookie, tokenTransportHeader } from '#core';
import type { Tokens } from '#core/api';
import { isAdminType } from '../access/account.ts';
import type { CallHttp } from '../kernel/server-plugin.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { FileTickets } from './file-tickets.ts';
import type { OpenSession } from './sessions.ts';

/** Only login, renewal and logout receive the refresh token. */
const refreshTokenPath = '/auth/pub/user';
/** Files and the OpenAPI page. */
const ticketPath = '/api';

export const requestsCookie = (http: CallHttp): boolean => http.headers[tokenTransportHeader] === refreshTokenInCookie;

/** Writes a session into a reply: tokens in the body, or the refresh token and its hints in cookies. */
export class SessionReply {
  readonly #tokens: AccessTokens;
  readonly #tickets: FileTickets;

  constructor(tokens: AccessTokens, tickets: FileTickets) {
    this.#tokens = tokens;
    this.#tickets = tickets;
  }

  async reply(open: OpenSession, http: CallHttp, inCookie: boolean): Promise<Tokens> {
    const isAdmin = isAdminType(open.account.user_type);
    const { username } = open.account;
    const accessToken = await this.#tokens.issue({ account: open.account.uid, session: open.session });
    if (inCookie) {
      const maxAgeSeconds = cookieLifetimeSeconds;
      http.setCookie(cookieNames.refreshToken, open.refreshToken, {
        path: refreshTokenPath,
        httpOnly: true,
        maxAgeSeconds,
      });
      http.setCookie(cookieNames.fileTicket, await this.#tickets.issue(open.session), {
        path: ticketPath,
        httpOnly: true,
        maxAgeSeconds,
      });
      http.setCookie(cookieNames.isAdmin, String(isAdmin), { path: '/', httpOnly: false, maxAgeSeconds });
      http.setCookie(cookieNames.username, username, { path: '/', httpOnly: false, maxAgeSeconds });
    }
    http.setHeader('cache-control', 'no-store');
    return {
      accessToken,
      refreshToken: inCookie ? refreshTokenInCookie : open.refreshToken,
      username,
      isAdmin,
      expiresIn: this.#tokens.lifetimeSeconds,
    };
  }

  /**
   * Removes the session's cookies and clears the browser cache of this origin (`Clear-Site-Data`), so that the next
   * person finds no protected files. Ignored over http and by browsers without support.
   */
  clear(http: CallHttp): void {
    http.setHeader('clear-site-data', '"cache"');
    http.clearCookie(cookieNames.refreshToken, { path: refreshTokenPath, httpOnly: true });
    http.clearCookie(cookieNames.fileTicket, { path: ticketPath, httpOnly: true });
    http.clearCookie(cookieNames.isAdmin, { path: '/', httpOnly: false });
    http.clearCookie(cookieNames.username, { path: '/', httpOnly: false });
  }
}
