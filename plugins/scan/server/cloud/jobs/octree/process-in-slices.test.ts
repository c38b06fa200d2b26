import { setImmediate } from 'node:timers';
import { describe, expect, it } from 'vitest';
import { processInSlices } from './process-in-slices.ts';

describe('processInSlices', () => {
  it('processes all items in order and yields after each slice', async () => {
    const slices: (readonly [number, number])[] = [];
    const sliceCounts: number[] = [];
    let isFinished = false;
    const recordSliceCount = () => {
      sliceCounts.push(slices.length);
      if (!isFinished) setImmediate(recordSliceCount);
    };
    setImmediate(recordSliceCount);
    await processInSlices(100_000, (from, to) => void slices.push([from, to]));
    isFinished = true;
    expect(slices).toEqual([
      [0, 32_768],
      [32_768, 65_536],
      [65_536, 98_304],
      [98_304, 100_000],
    ]);
    expect(new Set(sliceCounts)).toEqual(new Set([1, 2, 3, 4]));
  });

  it('does nothing without items', async () => {
    await processInSlices(0, () => expect.unreachable());
  });
});
