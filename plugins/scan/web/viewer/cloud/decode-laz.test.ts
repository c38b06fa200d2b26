import { describe, expect, it } from 'vitest';
import { newLazPerf } from '../../../server/adapters/las/laz-perf.ts';
import { decodeLaz } from './decode-laz.ts';

const box = { minimum: [0, 0, 0], maximum: [1, 1, 1] } as const;
const node = (count: number, length: number) =>
  ({
    kind: 'COPC',
    url: '',
    offset: 0,
    bytes: 1000,
    count,
    format: 7,
    length,
    scale: [1, 1, 1],
    shift: [0, 0, 0],
    box,
  }) as const;

describe('decodeLaz with an invalid node', () => {
  it.each([
    ['points whose bytes, counted in 32 bits, are few', 2 ** 17 + 1, 2 ** 15],
    ['points of fewer bytes than their format has', 1000, 10],
    ['more bytes than a decoder has', 2 ** 24, 200],
    ['more points than can be', 2 ** 24 + 1, 36],
  ])('refuses %s before decoding', async (_, count, length) => {
    const laz = await newLazPerf();
    const lowest = laz.HEAPU8.slice(0, 4096);
    // The same point repeatedly.
    expect(() => decodeLaz(laz, new Uint8Array(1 << 18), node(count, length))).toThrow(/more points than can be/);
    expect(laz.HEAPU8.slice(0, 4096)).toEqual(lowest);
  });
});
