import { setImmediate } from 'node:timers/promises';

/** Points between two yields to the event loop: some milliseconds of work. */
const slice = 32_768;

/** Calls `work` for consecutive slices of `count` items and yields to the event loop in between. */
export async function inSlices(count: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += slice) {
    work(from, Math.min(count, from + slice));
    await setImmediate();
  }
}
