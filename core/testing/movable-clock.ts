import type { Clock } from '../server/kernel/clock.ts';

/** A clock that tests advance. */
export interface MovableClock extends Clock {
  /** Advances the clock. */
  advance(milliseconds: number): void;
}

/** Shows real time plus the time by which it was advanced. */
export const createMovableClock = (): MovableClock => createClock(() => Date.now());

/** Shows the time of its creation until it is advanced, so that no cached value expires meanwhile. */
export function createFixedClock(): MovableClock {
  const time = Date.now();
  return createClock(() => time);
}

function createClock(now: () => number): MovableClock {
  let offsetMs = 0;
  return {
    now: () => now() + offsetMs,
    advance: (milliseconds) => {
      offsetMs += milliseconds;
    },
  };
}
