import type { Clock } from '../server/kernel/clock.ts';

/** A clock that tests can advance. */
export interface TestClock extends Clock {
  /** Advances the clock. */
  advance(milliseconds: number): void;
}

/** Creates a clock that shows the real time plus the time by which it was advanced. */
export const createTestClock = (): TestClock => createClock(() => Date.now());

/** Creates a clock that stands still until it is advanced, so that no cached value expires meanwhile. */
export function createFixedClock(): TestClock {
  const time = Date.now();
  return createClock(() => time);
}

function createClock(now: () => number): TestClock {
  let offsetMs = 0;
  return {
    now: () => now() + offsetMs,
    advance: (milliseconds) => {
      offsetMs += milliseconds;
    },
  };
}
