import { describe, expect, it } from 'vitest';
import { loadLazPerf } from '../../../server/adapters/las/laz-perf.ts';
import { decodeLaz } from './decode-laz.ts';

const box = { minimum: [0, 0, 0], maximum: [1, 1, 1] } as const;
const buildSource = (count: number, length: number) =>
  ({
    kind: 'COPC',
    url: '',
    offset: 0,
    bytes: 1000,
    count,
    format: 7,
    pointLength: length,
    scale: [1, 1, 1],
    shift: [0, 0, 0],
    box,
  }) as const;

describe('decodeLaz with an invalid node', () => {
  it.each([
    ['a number of bytes that overflows 32 bits', 2 ** 17 + 1, 2 ** 15],
    ['points with fewer bytes than their format requires', 1000, 10],
    ['more bytes than the decoder can allocate', 2 ** 24, 200],
    ['too many points', 2 ** 24 + 1, 36],
  ])('refuses %s before decoding', async (_, count, length) => {
    const laz = await loadLazPerf();
    const lowestBytes = laz.HEAPU8.slice(0, 4096);
    expect(() => decodeLaz(laz, new Uint8Array(1 << 18), buildSource(count, length))).toThrow(
      /more points than are possible/,
    );
    expect(laz.HEAPU8.slice(0, 4096)).toEqual(lowestBytes);
  });

  it('refuses a chunk that states layers of 4 GiB without allocating them', async () => {
    const laz = await loadLazPerf();
    const heapBytes = laz.HEAPU8.length;
    const chunk = new Uint8Array(1 << 12);
    const view = new DataView(chunk.buffer);
    for (let layer = 0; layer < 10; layer++) view.setUint32(40 + 4 * layer, 0xffffffff, true);
    expect(() => decodeLaz(laz, chunk, buildSource(100, 36))).toThrow(/damaged or cut off/);
    expect(laz.HEAPU8.length).toBe(heapBytes);
  });
});
