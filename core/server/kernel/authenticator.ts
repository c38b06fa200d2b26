import { token } from '#core';
import type { Caller } from '../access/caller.ts';

/** Says who calls. One implementation, provided by core's part `auth`. */
export interface Authenticator {
  /**
   * `bearer` is what follows "Bearer " in the header `authorization`. `cookies` are empty unless the endpoint accepts
   * the file ticket (`RawEndpoint.ticket`). Throws `unauthenticated()` (401 E005) where there is no valid token,
   * `inactiveUser()` (401 E006) where the account is inactive. Called on every request: keep it in memory.
   */
  authenticate(bearer: string | undefined, cookies: Readonly<Record<string, string | undefined>>): Promise<Caller>;
}
export const Authenticator = token<Authenticator>('core.Authenticator');
