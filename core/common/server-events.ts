import type { Static, TSchema } from 'typebox';

/**
 * The stream of server-sent events at `GET /api/events`, read by `fetch` with the bearer token. One event is `id:
 * <id>`, `event: <topic>`, `data: <one line of JSON>`. The stream ends when the access token does, when the session
 * ends and when the server stops: the reader connects again with a fresh token and the header `last-event-id`, and is
 * given what it missed. Lines that begin with a colon keep the connection alive.
 */
export const serverEventsPath = '/api/events';

/** Topics of the stream itself; all others are described by their plugin with `serverEvent`. */
export const streamTopics = {
  /** The first event of each stream; its data are `{}`. */
  open: 'core.open',
  /** Events may have been missed, or the person's access has changed: load again whatever events keep current. */
  reset: 'core.reset',
} as const;

/** One kind of event. The server publishes it, the browser takes it as a type. */
export interface ServerEvent<Topic extends string = string, Data extends TSchema = TSchema> {
  readonly topic: Topic;
  readonly data: Data;
}
export type EventDataOf<E extends ServerEvent> = Static<E['data']>;

/**
 * Describes an event in `contract/events.ts`, as `endpoint` describes a call. `topic`: the plugin's id and a name, made
 * of letters, digits, `.`, `_` and `-`. `data`: at most 6,000 bytes of JSON; what the schema does not name is dropped.
 */
export function serverEvent<const Topic extends `${string}.${string}`, Data extends TSchema>(
  topic: Topic,
  data: Data,
): ServerEvent<Topic, Data> {
  return { topic, data };
}
