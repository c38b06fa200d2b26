import { token, type AccessFlag, type EventDataOf, type ServerEvent } from '#core';

/**
 * The recipients of an event: people whose roles include the location (and the flag), accounts by uid, or everybody who
 * is signed in. Access is checked at delivery.
 */
export type EventAudience =
  | { readonly location: string; readonly flag?: AccessFlag }
  | { readonly accounts: readonly string[] }
  | 'signedIn';

/** Server-sent events to browsers, across all server processes. */
export interface Events {
  /**
   * Call it after the commit. Publish which rows changed, and let each client load the rows that it may see. Resolves
   * once the event is announced. A browser that reconnects receives missed events, or `core.reset` if it reconnects too
   * late.
   */
  publish<E extends ServerEvent>(event: E, audience: EventAudience, data: EventDataOf<E>): Promise<void>;
}
export const Events = token<Events>('core.Events');
