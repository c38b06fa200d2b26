/** Maximum wait without progress in ms, also on a busy machine. */
export const patience = 60_000;

/** Timeout of a test or hook in ms: more than `patience`, so that a wait can report what it waited for. */
export const testTimeout = 75_000;
