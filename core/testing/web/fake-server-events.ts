import { streamTopics, type EventDataOf, type ServerEvent } from '#core';
import type { ServerEvents } from '#core/web';

/** Stands in for the stream of events: a test announces what the server would. */
export class FakeServerEvents implements ServerEvents {
  readonly #listeners = new Set<{ readonly topic: string; readonly listener: (data: unknown) => void }>();

  on(topic: string, listener: (data: unknown) => void): () => void {
    const entry = { topic, listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  publish<E extends ServerEvent>(topic: E['topic'], data: EventDataOf<E>): void {
    for (const each of this.#listeners) if (each.topic === topic) each.listener(data);
  }

  /** As after a connection that was lost for too long. */
  reset(): void {
    this.publish(streamTopics.reset, {});
  }

  get listening(): number {
    return this.#listeners.size;
  }
}
