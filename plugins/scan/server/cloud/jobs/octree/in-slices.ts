import { setImmediate } from 'node:timers/promises';

/** Points after which the server may answer others: some milliseconds of work. */
const slice = 32_768;

/** Calls `work` for parts of `count` things, one after the other, and gives way in between. */
export async function inSlices(count: number, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < count; from += slice) {
    work(from, Math.min(count, from + slice));
    await setImmediate();
  }
}
