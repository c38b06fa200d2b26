import { expect, it } from 'vitest';
import { newLazPerf } from './laz-perf.ts';

it("leaves the process's own handlers as they are", async () => {
  const listeners = () =>
    (['uncaughtException', 'unhandledRejection'] as const).map((event) => process.listenerCount(event));
  const before = listeners();
  await newLazPerf();
  expect(listeners()).toEqual(before);
});
