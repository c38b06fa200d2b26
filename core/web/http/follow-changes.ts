import { streamTopics, type EventDataOf, type ServerEvent } from '#core';
import { logError } from '../kernel/log.ts';
import type { ServerEvents } from '../kernel/services.ts';

export interface ChangeHandler<Data> {
  /** Loads what the events refer to. Events during a call are passed to the next one. */
  readonly onChanges: (changes: readonly Data[]) => Promise<void>;
  /** Reloads everything after missed events. */
  readonly onMissed: () => Promise<void>;
}

/** Delay of a load, so that it serves several events. The random part spreads the requests of many browsers. */
const collectMs = 100;
const spreadMs = 200;
const retryMs = 2_000;

/**
 * Keeps data current. Must be called before the first load, so that no event is missed. Batches events, never runs the
 * handler concurrently, and passes events again after a failure. Returns a function that unsubscribes.
 */
export function followChanges<E extends ServerEvent>(
  serverEvents: ServerEvents,
  topic: E['topic'],
  { onChanges, onMissed }: ChangeHandler<EventDataOf<E>>,
): () => void {
  let pendingChanges: readonly EventDataOf<E>[] = [];
  let eventsMissed = false;
  let busy = false;
  let stopped = false;

  const loadAfter = async (delayMs: number): Promise<void> => {
    if (busy) return;
    busy = true;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const [changes, reloadAll] = [pendingChanges, eventsMissed];
    pendingChanges = [];
    eventsMissed = false;
    let nextDelayMs = 0;
    try {
      if (!stopped) await (reloadAll ? onMissed() : onChanges(changes));
    } catch (cause) {
      logError('Changes could not be loaded.', cause);
      pendingChanges = [...changes, ...pendingChanges];
      eventsMissed ||= reloadAll;
      nextDelayMs = retryMs;
    }
    busy = false;
    if (!stopped && (eventsMissed || pendingChanges.length > 0)) void loadAfter(nextDelayMs);
  };
  const scheduleLoad = (): void => void loadAfter(collectMs + Math.random() * spreadMs);

  const unsubscribers = [
    serverEvents.on(topic, (data) => {
      pendingChanges = [...pendingChanges, data as EventDataOf<E>];
      scheduleLoad();
    }),
    serverEvents.on(streamTopics.reset, () => {
      eventsMissed = true;
      scheduleLoad();
    }),
  ];
  return () => {
    stopped = true;
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}
