import { maxWaitMs } from '../../core/testing/max-wait.ts';

/** Resolves after the next frame of the page. */
export const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));

/**
 * Waits in a page, frame by frame, until `holds` returns true.
 *
 * @param what what is awaited, for the error message
 * @param state a value that changes with progress; printed if it stalls
 * @throws Error if `state` did not change for 60 s
 */
export async function framesUntil(what: string, holds: () => boolean, state: () => unknown): Promise<void> {
  let last = '';
  let since = performance.now();
  while (!holds()) {
    const now = JSON.stringify(state()) ?? '';
    if (now !== last) [last, since] = [now, performance.now()];
    else if (performance.now() - since > maxWaitMs)
      throw new Error(`Waited ${maxWaitMs / 1000} s without progress for ${what}; state: ${last}.`);
    // Without a GPU process, a frame may never be drawn.
    await Promise.race([nextFrame(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
  }
}
