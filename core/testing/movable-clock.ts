import type { Clock } from '../server/kernel/clock.ts';

/** Real time plus an offset that tests advance. */
export interface MovableClock extends Clock {
  /** Advances the clock. */
  advance(milliseconds: number): void;
}

export function createMovableClock(): MovableClock {
  let offsetMs = 0;
  return {
    now: () => Date.now() + offsetMs,
    advance: (milliseconds) => {
      offsetMs += milliseconds;
    },
  };
}
