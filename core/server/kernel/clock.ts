/** The time, replaceable in tests. Core takes stored times and the expiry of accounts, sessions and caches from it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
