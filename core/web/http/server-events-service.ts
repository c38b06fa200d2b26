import { serverEventsPath } from '#core';
import { logError } from '../kernel/log.ts';
import type { ServerEvents } from '../kernel/services.ts';
import { saysInactive } from '../session/renewal-call.ts';
import type { TokenKeeper } from '../session/token-keeper.ts';
import { EventStreamReader, type StreamEvent } from './event-stream-reader.ts';

export interface ServerEventsParts {
  readonly keeper: TokenKeeper;
  /** Base address of the API, without a trailing slash. */
  readonly base: string;
  readonly fetch: typeof fetch;
  /** Resolves after some milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Milliseconds before the first and the longest wait for a new connection; each wait is twice the one before. */
const firstPause = 1_000;
const longestPause = 30_000;
/** How long a request for the stream may be on its way. */
const replayMarginSeconds = 30;
const maxReplaySeconds = 3600;

type Listener = (data: unknown) => void;

/**
 * One stream for all listeners of this tab, open while there are any. It is read by `fetch`, since an `EventSource`
 * cannot carry the token; it comes back by itself from the last id, with a renewed token where the old one was
 * refused. It begins with what was announced since the first listener came, or with `core.reset`.
 */
export class ServerEventsService implements ServerEvents {
  readonly #parts: ServerEventsParts;
  readonly #listeners = new Map<string, Set<Listener>>();
  #open: AbortController | undefined;

  constructor(parts: ServerEventsParts) {
    this.#parts = parts;
  }

  on(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    if (!this.#open) {
      this.#open = new AbortController();
      void this.#follow(this.#open.signal);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
      if (this.#listeners.size > 0) return;
      this.#open?.abort();
      this.#open = undefined;
    };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { keeper, wait } = this.#parts;
    const { generation } = keeper;
    let lastId: string | undefined;
    let pause = firstPause;
    const followedSince = performance.now();
    while (!signal.aborted) {
      try {
        const tokens = await keeper.usable(generation, signal);
        const answer = await this.#connect(tokens?.accessToken, { lastId, followedSince }, signal);
        if (answer.status === 401) {
          if (saysInactive(await answer.json().catch(() => undefined))) return keeper.deactivate();
          if (keeper.tokens === tokens) await keeper.renew(tokens, signal);
          if (keeper.state !== 'valid' && keeper.state !== 'expired') return;
        } else if (answer.ok && answer.body) {
          pause = firstPause;
          for await (const event of eventsOf(answer.body)) {
            lastId = event.id ?? lastId;
            this.#tell(event);
          }
        }
      } catch (cause) {
        if (signal.aborted || keeper.generation !== generation) return;
        logError('The stream of events broke off; it is opened again.', cause);
      }
      if (!signal.aborted) await wait(pause);
      pause = Math.min(pause * 2, longestPause);
    }
  }

  #connect(
    accessToken: string | undefined,
    { lastId, followedSince }: { readonly lastId: string | undefined; readonly followedSince: number },
    signal: AbortSignal,
  ): Promise<Response> {
    const seconds = Math.ceil((performance.now() - followedSince) / 1000) + replayMarginSeconds;
    const query = lastId === undefined ? `?replaySeconds=${Math.min(seconds, maxReplaySeconds)}` : '';
    return this.#parts.fetch(this.#parts.base + serverEventsPath + query, {
      signal,
      cache: 'no-store',
      headers: {
        accept: 'text/event-stream',
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
    });
  }

  #tell({ topic, data }: StreamEvent): void {
    const value: unknown = JSON.parse(data);
    for (const [wanted, listeners] of this.#listeners) {
      if (wanted !== topic && !(wanted.endsWith('*') && topic.startsWith(wanted.slice(0, -1)))) continue;
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (cause) {
          logError(`A listener of the event '${topic}' failed.`, cause);
        }
      }
    }
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
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
