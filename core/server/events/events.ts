import { token } from '#core';

/** Events that people's browsers hear (server-sent), across all server processes. */
export interface Events {
  /**
   * `topic` such as `job.<id>` or `locations`: letters, digits, `.`, `_` and `-`. `data` become JSON of at most about
   * 6,000 bytes: announce an id and let who hears it read the rest. `to`: uids of people, or everybody who is signed
   * in. Resolves when it is announced; who is not connected hears it on their return, unless that is long after.
   */
  publish(topic: string, data: unknown, to?: readonly string[]): Promise<void>;
}
export const Events = token<Events>('core.Events');
