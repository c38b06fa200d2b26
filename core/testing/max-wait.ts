/** The maximum wait without progress, also on a busy machine. */
export const maxWaitMs = 60_000;

/** The timeout of a test or hook. It exceeds `maxWaitMs`, so that a wait can report what it waited for. */
export const testTimeoutMs = 75_000;
