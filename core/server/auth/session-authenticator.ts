import { cookieNames } from '#core';
import type { Caller } from '../access/caller.ts';
import type { Authenticator } from '../kernel/authenticator.ts';
import { unauthenticated } from '../kernel/server-error.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { FileTickets } from './file-tickets.ts';
import type { SessionDirectory } from './session-directory.ts';

/** Finds the caller by access token, or by file ticket if the kernel passes cookies. */
export class SessionAuthenticator implements Authenticator {
  readonly #tokens: AccessTokens;
  readonly #tickets: FileTickets;
  readonly #directory: SessionDirectory;

  constructor(tokens: AccessTokens, tickets: FileTickets, directory: SessionDirectory) {
    this.#tokens = tokens;
    this.#tickets = tickets;
    this.#directory = directory;
  }

  async authenticate(
    bearer: string | undefined,
    cookies: Readonly<Record<string, string | undefined>>,
  ): Promise<Caller> {
    if (bearer !== undefined) {
      const claims = await this.#tokens.verify(bearer);
      const caller = await this.#directory.loadCaller(claims.session);
      if (caller.uid !== claims.account) throw unauthenticated();
      return caller;
    }
    const ticket = cookies[cookieNames.fileTicket];
    if (ticket === undefined) throw unauthenticated();
    return this.#directory.loadCaller(await this.#tickets.verify(ticket));
  }
}
