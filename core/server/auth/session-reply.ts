import { cookieLifetimeSeconds, cookieNames, refreshTokenInCookie, tokenTransportHeader } from '#core';
import type { Tokens } from '#core/api';
import { isAdminType } from '../access/account.ts';
import type { CallHttp } from '../kernel/server-plugin.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { FileTickets } from './file-tickets.ts';
import type { OpenSession } from './sessions.ts';

/** Only login, renewal and logout receive the refresh token. */
const refreshTokenPath = '/auth/pub/user';
/** The file ticket opens files and the OpenAPI page. */
const ticketPath = '/api';

export const requestsCookie = (http: CallHttp): boolean => http.headers[tokenTransportHeader] === refreshTokenInCookie;

/** Writes the tokens of a session into a reply: all in the body, or the refresh token and file ticket in cookies. */
export class SessionReply {
  readonly #tokens: AccessTokens;
  readonly #tickets: FileTickets;

  constructor(tokens: AccessTokens, tickets: FileTickets) {
    this.#tokens = tokens;
    this.#tickets = tickets;
  }

  async write(openSession: OpenSession, http: CallHttp, withCookies: boolean): Promise<Tokens> {
    const isAdmin = isAdminType(openSession.account.user_type);
    const { username } = openSession.account;
    const accessToken = await this.#tokens.issue({ account: openSession.account.uid, session: openSession.session });
    if (withCookies) {
      const maxAgeSeconds = cookieLifetimeSeconds;
      http.setCookie(cookieNames.refreshToken, openSession.refreshToken, {
        path: refreshTokenPath,
        httpOnly: true,
        maxAgeSeconds,
      });
      http.setCookie(cookieNames.fileTicket, await this.#tickets.issue(openSession.session), {
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
      refreshToken: withCookies ? refreshTokenInCookie : openSession.refreshToken,
      username,
      isAdmin,
      expiresIn: this.#tokens.lifetimeSeconds,
    };
  }

  /**
   * Removes the session's cookies and clears the browser cache of this origin (`Clear-Site-Data`), so that the next
   * person finds no protected files. The header has no effect over http and in browsers without support.
   */
  clear(http: CallHttp): void {
    http.setHeader('clear-site-data', '"cache"');
    http.clearCookie(cookieNames.refreshToken, { path: refreshTokenPath, httpOnly: true });
    http.clearCookie(cookieNames.fileTicket, { path: ticketPath, httpOnly: true });
    http.clearCookie(cookieNames.isAdmin, { path: '/', httpOnly: false });
    http.clearCookie(cookieNames.username, { path: '/', httpOnly: false });
  }
}
