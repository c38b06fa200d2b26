import { streamTopics } from '#core';
import { logError } from '../kernel/log.ts';
import type { ServerEvents } from '../kernel/services.ts';
import type { TokenManager } from '../session/token-manager.ts';
import { loadChunk } from '../kernel/load-chunk.ts';
import type { VisiblePage } from './hidden-page.ts';
import type { StreamEvent } from './event-stream-reader.ts';

export interface ServerEventsOptions {
  readonly tokenManager: TokenManager;
  /** Base URL of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly fetch: typeof fetch;
  /** Resolves after the given milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Default: the document. */
  readonly page?: VisiblePage;
}

const retryMs = 30_000;

/** Topics that every open page follows, also if nobody uses it. */
const passiveTopics: readonly string[] = ['core.noticesChanged', streamTopics.reset];

type Listener = (data: unknown) => void;

/**
 * One stream for all listeners of this tab, open while there is a listener. Uses `fetch` because `EventSource` cannot
 * send the token. Reconnects from the last id, with a renewed token if the old one was refused. Starts with the events
 * since the first subscription, or with `core.reset`.
 */
export class ServerEventsService implements ServerEvents {
  readonly #options: ServerEventsOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  #openStream: AbortController | undefined;

  constructor(options: ServerEventsOptions) {
    this.#options = options;
  }

  on(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    if (!this.#openStream) {
      this.#openStream = new AbortController();
      void this.#follow(this.#openStream.signal);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
      if (this.#listeners.size > 0) return;
      this.#openStream?.abort();
      this.#openStream = undefined;
    };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const subscribedAt = performance.now();
    while (!signal.aborted) {
      try {
        const { followStream } = await loadChunk('core.events', () => import('./follow-stream.ts'));
        return await followStream(this.#options, {
          subscribedAt,
          signal,
          onEvent: (event) => this.#notify(event),
          isPassive: () => this.#isPassive(),
        });
      } catch (cause) {
        logError('The stream of events could not be opened.', cause);
        await this.#options.wait(retryMs);
      }
    }
  }

  #isPassive(): boolean {
    return [...this.#listeners.keys()].every((topic) => passiveTopics.includes(topic));
  }

  #notify({ topic, data }: StreamEvent): void {
    const value: unknown = JSON.parse(data);
    for (const [pattern, listeners] of this.#listeners) {
      if (pattern !== topic && !(pattern.endsWith('*') && topic.startsWith(pattern.slice(0, -1)))) continue;
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
