/** Milliseconds that a wait may last without progress, also on a busy machine. */
export const patience = 60_000;

/** Milliseconds that a test or hook may last: more than `patience`, so that a wait can say what it waited for. */
export const testTimeout = 75_000;
