/** The time, so that tests can move it. Everything in core that expires asks this and never `Date.now()`. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
