import { token } from '#core';
import type { Caller } from '../access/caller.ts';

/** Identifies the caller. Implemented by core's part `auth`. */
export interface Authenticator {
  /**
   * `bearer` is the token of the `authorization` header. `cookies` are empty unless the endpoint accepts the file
   * ticket (`RawEndpoint.ticket`). Called on every request: implementations cache in memory.
   *
   * @throws `unauthenticated()` (401 E005) without a valid token; `inactiveUser()` (401 E006) for an inactive account
   */
  authenticate(bearer: string | undefined, cookies: Readonly<Record<string, string | undefined>>): Promise<Caller>;
}
export const Authenticator = token<Authenticator>('core.Authenticator');
