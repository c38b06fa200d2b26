import type { Clock } from '../server/kernel/clock.ts';

/** Real time plus an offset that tests advance. */
export interface MovableClock extends Clock {
  /** Milliseconds. */
  pass(milliseconds: number): void;
}

export function movableClock(): MovableClock {
  let moved = 0;
  return {
    now: () => Date.now() + moved,
    pass: (milliseconds) => {
      moved += milliseconds;
    },
  };
}
