import { streamTopics, type EventDataOf, type ServerEvent } from '#core';
import type { ServerEvents } from '#core/web';

/** A fake event stream whose events the test publishes. */
export class FakeServerEvents implements ServerEvents {
  readonly #listeners = new Set<{ readonly topic: string; readonly listener: (data: unknown) => void }>();

  on(topic: string, listener: (data: unknown) => void): () => void {
    const entry = { topic, listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  publish<E extends ServerEvent>(topic: E['topic'], data: EventDataOf<E>): void {
    for (const listening of this.#listeners) if (listening.topic === topic) listening.listener(data);
  }

  /** Simulates a long connection loss. */
  reset(): void {
    this.publish(streamTopics.reset, {});
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }
}
