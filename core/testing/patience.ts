/**
 * How long a test waits for what will come, in milliseconds: long enough for a busy machine with few cores. Only a test
 * that fails waits that long.
 */
export const patience = 60_000;
