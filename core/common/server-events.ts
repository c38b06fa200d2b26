/**
 * The stream of server-sent events at `GET /api/events`, read by `fetch` with the bearer token. One event is `id:
 * <id>`, `event: <topic>`, `data: <one line of JSON>`. The stream ends when the access token does, when the session
 * ends and when the server stops: the reader connects again with a fresh token and the header `last-event-id`, and is
 * given what it missed. Lines that begin with a colon keep the connection alive.
 */
export const serverEventsPath = '/api/events';

/** Topics of the stream itself; all others are named by who publishes. */
export const streamTopics = {
  /** The first event of each stream; its data are `{}`. */
  open: 'core.open',
  /** What was missed is no longer known: read anew whatever events keep fresh. */
  reset: 'core.reset',
} as const;
