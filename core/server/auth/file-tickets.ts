import { createHmac, timingSafeEqual } from 'node:crypto';
import { unauthenticated } from '../kernel/server-error.ts';
import type { KeyRing, SigningKey } from './key-ring.ts';

/**
 * Tickets with which a browser opens files without a bearer token: the session id and a keyed hash of it. A ticket is
 * invalid once its session ends.
 */
export class FileTickets {
  readonly #keys: KeyRing;

  constructor(keys: KeyRing) {
    this.#keys = keys;
  }

  async issue(session: string): Promise<string> {
    return `${session}.${sign(await this.#keys.getCurrent(), session).toString('base64url')}`;
  }

  /**
   * Returns the session id.
   *
   * @throws `unauthenticated` (E005) on a ticket that this server did not issue
   */
  async verify(ticket: string): Promise<string> {
    const dot = ticket.lastIndexOf('.');
    const session = ticket.slice(0, dot);
    const signature = Buffer.from(ticket.slice(dot + 1), 'base64url');
    const expected = sign(await this.#keys.getCurrent(), session);
    if (dot <= 0 || signature.length !== expected.length || !timingSafeEqual(signature, expected))
      throw unauthenticated();
    return session;
  }
}

const sign = (key: SigningKey, session: string): Buffer =>
  createHmac('sha256', key.deriveKey('file')).update(session).digest();
