import { setImmediate } from 'node:timers/promises';

/** How long a calculation may hold the process before other requests have their turn. */
const maxTurnMs = 25;

/**
 * Creates a function to be awaited often within a long calculation: it lets waiting requests through every
 * `maxTurnMs`. It throws once `signal` is aborted.
 */
export function yieldToEventLoop(signal?: AbortSignal): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < maxTurnMs) return;
    await setImmediate();
    signal?.throwIfAborted();
    began = performance.now();
  };
}
