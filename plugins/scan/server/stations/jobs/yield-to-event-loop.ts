import { setImmediate } from 'node:timers/promises';

/** Maximum time for which a calculation blocks other requests of the process. */
const maxBlockMs = 25;

/**
 * Creates a function that a long calculation awaits often. It yields to waiting requests every `maxBlockMs` and throws
 * once `signal` is aborted.
 */
export function createYield(signal?: AbortSignal): () => Promise<void> {
  let lastYieldAt = performance.now();
  return async () => {
    if (performance.now() - lastYieldAt < maxBlockMs) return;
    await setImmediate();
    signal?.throwIfAborted();
    lastYieldAt = performance.now();
  };
}
