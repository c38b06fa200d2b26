import { setImmediate } from 'node:timers/promises';

/** Maximum time for which a calculation blocks other requests of the process. */
const maxTurnMs = 25;

/**
 * Creates a function to await often within a long calculation. It yields to waiting requests every `maxTurnMs` and
 * throws once `signal` is aborted.
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
