import { setImmediate } from 'node:timers';
import { describe, expect, it } from 'vitest';
import { inSlices } from './in-slices.ts';

describe('inSlices', () => {
  it('processes all items in order and yields after each slice', async () => {
    const slices: (readonly [number, number])[] = [];
    const answered: number[] = [];
    let ended = false;
    const answer = () => {
      answered.push(slices.length);
      if (!ended) setImmediate(answer);
    };
    setImmediate(answer);
    await inSlices(100_000, (from, to) => void slices.push([from, to]));
    ended = true;
    expect(slices).toEqual([
      [0, 32_768],
      [32_768, 65_536],
      [65_536, 98_304],
      [98_304, 100_000],
    ]);
    expect(new Set(answered)).toEqual(new Set([1, 2, 3, 4]));
  });

  it('does nothing without items', async () => {
    await inSlices(0, () => expect.unreachable());
  });
});
