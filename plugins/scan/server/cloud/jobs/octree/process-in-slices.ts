import { setImmediate } from 'node:timers/promises';

/** Items that are processed between two yields to the event loop. They take some milliseconds. */
const sliceLength = 32_768;

/** Calls `processSlice` for consecutive slices of `count` items and yields to the event loop in between. */
export async function processInSlices(count: number, processSlice: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += sliceLength) {
    processSlice(from, Math.min(count, from + sliceLength));
    await setImmediate();
  }
}
