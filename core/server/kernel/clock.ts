/** The time, replaceable in tests. Core uses it for everything that expires, never `Date.now()`. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
