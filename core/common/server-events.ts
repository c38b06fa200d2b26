import type { Static, TSchema } from 'typebox';

/**
 * Path of the server-sent event stream, read by `fetch` with the bearer token. The stream ends when the token, session
 * or server ends; the client reconnects with the header `last-event-id` and receives the missed events. Lines that
 * begin with a colon are keep-alives.
 */
export const serverEventsPath = '/api/events';

/** Topics of the stream itself; plugins describe all others with `serverEvent`. */
export const streamTopics = {
  /** The first event of each stream; its data is `{}`. */
  open: 'core.open',
  /** Events may have been missed, or the person's access has changed. All event-driven data must be reloaded. */
  reset: 'core.reset',
} as const;

/** One kind of event: published by the server, used as a type by the browser. */
export interface ServerEvent<Topic extends string = string, Data extends TSchema = TSchema> {
  readonly topic: Topic;
  readonly data: Data;
}
export type EventDataOf<E extends ServerEvent> = Static<E['data']>;

/**
 * Describes an event in `contract/events.ts`, as `endpoint` describes a call. A topic is a plugin id, a dot and a name
 * of letters, digits, `.`, `_` and `-`. The data is at most 6,000 bytes of JSON and only has properties of the schema.
 */
export function serverEvent<const Topic extends `${string}.${string}`, Data extends TSchema>(
  topic: Topic,
  data: Data,
): ServerEvent<Topic, Data> {
  return { topic, data };
}
