import { patience } from '../../core/testing/patience.ts';

/** Resolves after the next frame of the page. */
export const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));

/**
 * Waits in a page, frame by frame, until `holds` answers true.
 *
 * @param what what is waited for, for the message
 * @param state what changes as long as there is progress; printed if there is none
 * @throws Error if `state` did not change for 60 s
 */
export async function framesUntil(what: string, holds: () => boolean, state: () => unknown): Promise<void> {
  let last = '';
  let since = performance.now();
  while (!holds()) {
    const now = JSON.stringify(state()) ?? '';
    if (now !== last) [last, since] = [now, performance.now()];
    else if (performance.now() - since > patience)
      throw new Error(`Waited ${patience / 1000} s without progress for ${what}; state: ${last}.`);
    // A frame may never come where the graphics process is gone.
    await Promise.race([nextFrame(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
  }
}
