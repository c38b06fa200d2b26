import { token, type AccessFlag, type EventDataOf, type ServerEvent } from '#core';

/**
 * Who receives an event: people whose roles include the location (and the flag), the accounts with these uids, or
 * everybody who is signed in. Checked when the event is delivered.
 */
export type EventAudience =
  | { readonly location: string; readonly flag?: AccessFlag }
  | { readonly accounts: readonly string[] }
  | 'signedIn';

/** Events that browsers receive (server-sent), across all server processes. */
export interface Events {
  /**
   * Call it after the change is committed. Announce which rows changed and let each receiver load what it may see.
   * Resolves when the event is announced. A browser that is not connected receives it when it returns, or
   * `core.reset` if that is too late.
   */
  publish<E extends ServerEvent>(event: E, audience: EventAudience, data: EventDataOf<E>): Promise<void>;
}
export const Events = token<Events>('core.Events');
