import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a long calculation may hold the process before others have their turn. */
const longestTurn = 25;

/**
 * To be awaited often within a long calculation: lets waiting requests through where they have waited. Throws where
 * `signal` was aborted.
 */
export function takeTurns(signal?: AbortSignal): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < longestTurn) return;
    await setImmediate();
    signal?.throwIfAborted();
    began = performance.now();
  };
}
