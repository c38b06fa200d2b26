import { token, type AccessFlag, type EventDataOf, type ServerEvent } from '#core';

/**
 * Recipients of an event: people whose roles include the location (and the flag), the accounts with these uids, or
 * everybody who is signed in. Checked at delivery.
 */
export type EventAudience =
  | { readonly location: string; readonly flag?: AccessFlag }
  | { readonly accounts: readonly string[] }
  | 'signedIn';

/** Server-sent events to browsers, across all server processes. */
export interface Events {
  /**
   * Call it after the commit. Publish which rows changed, and let each client load what it may see. Resolves once the
   * event is announced. A disconnected browser receives it after it reconnects, or `core.reset` if that is too late.
   */
  publish<E extends ServerEvent>(event: E, audience: EventAudience, data: EventDataOf<E>): Promise<void>;
}
export const Events = token<Events>('core.Events');
