import { serverEventsPath } from '#core';
import { logError } from '../kernel/log.ts';
import { saysInactive } from './renewal-call.ts';
import { EventStreamReader, type StreamEvent } from './event-stream-reader.ts';
import type { ServerEventsParts } from './server-events-service.ts';

/** First and longest delay in ms before a reconnection; each delay doubles. */
const firstPause = 1_000;
const maxPauseMs = 30_000;
/** The replay window includes the time that the request itself may take. */
const replayMarginSeconds = 30;
const maxReplaySeconds = 3600;

export interface FollowedStream {
  /** Time of the first subscription, by `performance.now`. */
  readonly since: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: StreamEvent) => void;
}

/** Reads the event stream and reconnects when it breaks. Resolves when aborted or when the session ends. */
export async function followStream(
  parts: ServerEventsParts,
  { since, signal, onEvent }: FollowedStream,
): Promise<void> {
  const { keeper, wait } = parts;
  const { generation } = keeper;
  let lastId: string | undefined;
  let pause = firstPause;
  while (!signal.aborted) {
    try {
      const tokens = await keeper.usable(generation, signal);
      const answer = await connect(parts, tokens?.accessToken, { lastId, since }, signal);
      if (answer.status === 401) {
        if (saysInactive(await answer.json().catch(() => undefined))) return keeper.deactivate();
        if (keeper.tokens === tokens) await keeper.renew(tokens, signal);
        if (keeper.state !== 'valid' && keeper.state !== 'expired') return;
      } else if (answer.ok && answer.body) {
        pause = firstPause;
        for await (const event of readEvents(answer.body)) {
          lastId = event.id ?? lastId;
          onEvent(event);
        }
      }
    } catch (cause) {
      if (signal.aborted || keeper.generation !== generation) return;
      logError('The stream of events broke off; it is opened again.', cause);
    }
    if (!signal.aborted) await wait(pause);
    pause = Math.min(pause * 2, maxPauseMs);
  }
}

function connect(
  parts: ServerEventsParts,
  accessToken: string | undefined,
  { lastId, since }: { readonly lastId: string | undefined; readonly since: number },
  signal: AbortSignal,
): Promise<Response> {
  const seconds = Math.ceil((performance.now() - since) / 1000) + replayMarginSeconds;
  const query = lastId === undefined ? `?replaySeconds=${Math.min(seconds, maxReplaySeconds)}` : '';
  return parts.fetch(parts.base + serverEventsPath + query, {
    signal,
    cache: 'no-store',
    headers: {
      accept: 'text/event-stream',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
  });
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = new EventStreamReader();
  const pieces = body.getReader();
  try {
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return;
      yield* reader.read(value);
    }
  } finally {
    await pieces.cancel().catch(() => undefined);
  }
}
