import { serverEventsPath } from '#core';
import { logError } from '../kernel/log.ts';
import { isInactiveUserError } from './renewal-call.ts';
import { waitUntilVisible, watchHidden } from './hidden-page.ts';
import { EventStreamReader, type StreamEvent } from './event-stream-reader.ts';
import type { ServerEventsOptions } from './server-events-service.ts';

/** First and longest delay before a reconnection. The delay doubles with each attempt. */
const minPauseMs = 1_000;
const maxPauseMs = 30_000;
/**
 * Until an event with an id has arrived, a connection asks for the events since the first subscription. The margin
 * covers the duration of the request.
 */
const replayMarginSeconds = 30;
const maxReplaySeconds = 3600;
/** A background tab closes its connection, because browsers open at most six per server over HTTP/1.1. */
const maxHiddenMs = 30_000;

/** Interval at which a passive stream checks for a token. */
const passivePauseMs = 5_000;

export interface FollowStreamOptions {
  /** Time of the first subscription, by `performance.now`. */
  readonly subscribedAt: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: StreamEvent) => void;
  /**
   * True if all listeners are for topics that every open page follows, even an unused one. The stream then neither
   * renews the session nor counts as use of it.
   */
  readonly isPassive: () => boolean;
}

/**
 * Reads the event stream and reconnects when it breaks, or when a hidden page is shown again. Resolves when aborted or
 * when the session ends.
 */
export async function followStream(
  options: ServerEventsOptions,
  { subscribedAt, signal, onEvent, isPassive }: FollowStreamOptions,
): Promise<void> {
  const { tokenManager, wait, page = document } = options;
  const { sessionNumber } = tokenManager;
  let lastId: string | undefined;
  let refusedToken: typeof tokenManager.token;
  let pauseMs = minPauseMs;
  while (!signal.aborted) {
    await waitUntilVisible(page, signal);
    if (isPassive() && (tokenManager.token === undefined || tokenManager.token === refusedToken)) {
      if (tokenManager.sessionNumber !== sessionNumber) return;
      await wait(passivePauseMs);
      continue;
    }
    const hiddenWatch = watchHidden(page, maxHiddenMs, signal);
    try {
      const token = isPassive() ? tokenManager.token : await tokenManager.waitForToken(sessionNumber, signal);
      const response = await connect(options, token?.accessToken, { lastId, subscribedAt }, hiddenWatch.signal);
      if (response.status === 401) {
        if (isInactiveUserError(await response.json().catch(() => undefined))) return tokenManager.setInactive();
        if (isPassive()) refusedToken = token;
        else if (tokenManager.token === token) await tokenManager.renew(token, signal);
        if (tokenManager.state !== 'valid' && tokenManager.state !== 'expired') return;
      } else if (response.ok && response.body) {
        pauseMs = minPauseMs;
        for await (const event of readEvents(response.body)) {
          lastId = event.id ?? lastId;
          onEvent(event);
        }
      }
    } catch (cause) {
      if (signal.aborted || tokenManager.sessionNumber !== sessionNumber) return;
      if (hiddenWatch.signal.aborted) continue;
      logError('The stream of events broke and is opened again.', cause);
    } finally {
      hiddenWatch.stop();
    }
    if (!signal.aborted) await wait(pauseMs);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }
}

function connect(
  options: ServerEventsOptions,
  accessToken: string | undefined,
  { lastId, subscribedAt }: { readonly lastId: string | undefined; readonly subscribedAt: number },
  signal: AbortSignal,
): Promise<Response> {
  const seconds = Math.ceil((performance.now() - subscribedAt) / 1000) + replayMarginSeconds;
  const query = lastId === undefined ? `?replaySeconds=${Math.min(seconds, maxReplaySeconds)}` : '';
  return options.fetch(options.apiUrl + serverEventsPath + query, {
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
  const parser = new EventStreamReader();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.read(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
