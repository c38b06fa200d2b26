import { expect, it } from 'vitest';
import { allocate, loadLazPerf } from './laz-perf.ts';

it("does not change the process's own event handlers", async () => {
  const listeners = () =>
    (['uncaughtException', 'unhandledRejection'] as const).map((event) => process.listenerCount(event));
  const before = listeners();
  await loadLazPerf();
  expect(listeners()).toEqual(before);
});

it('throws if the heap is exhausted', async () => {
  const laz = await loadLazPerf();
  expect(allocate(laz, 1000)).toBeGreaterThan(0);
  for (const bytes of [2 ** 31 - 1, 2 ** 32, 2 ** 32 + 1000])
    expect(() => allocate(laz, bytes)).toThrow(/cannot allocate/);
});
