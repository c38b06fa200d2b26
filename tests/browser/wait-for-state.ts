import { maxWaitMs } from '../../core/testing/max-wait.ts';

/** Resolves after the next frame of the page. */
export const waitForFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));

/**
 * Waits in a page until `isDone` returns true, which is checked after each frame.
 *
 * @param description a noun for the error message, such as `the first picture`
 * @param readState returns a value that changes with progress and is part of the error message
 * @throws Error if the state did not change for 60 s
 */
export async function waitForState(
  description: string,
  isDone: () => boolean,
  readState: () => unknown,
): Promise<void> {
  let lastState = '';
  let lastProgressAt = performance.now();
  while (!isDone()) {
    const state = JSON.stringify(readState()) ?? '';
    if (state !== lastState) [lastState, lastProgressAt] = [state, performance.now()];
    else if (performance.now() - lastProgressAt > maxWaitMs)
      throw new Error(`Waited ${maxWaitMs / 1000} s without progress for ${description}; state: ${lastState}.`);
    // Without a GPU process, a frame may never be drawn.
    await Promise.race([waitForFrame(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
  }
}
