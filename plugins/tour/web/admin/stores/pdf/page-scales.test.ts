import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listPageScales } from './page-scales.ts';

it('draws a large sheet with 8192 px and a small one with 300 dpi', () => {
  const [a0] = listPageScales(3370, 2384);
  expect(3370 * a0!).toBeCloseTo(8192, 6);
  expect(listPageScales(595, 842)[0]).toBeCloseTo(300 / 72, 9);
});

it('offers smaller pictures for devices with small canvases', () => {
  const points = fc.double({ min: 0.1, max: 20_000, noNaN: true });
  fc.assert(
    fc.property(points, points, (width, height) => {
      const scales = listPageScales(width, height);
      expect([...scales].sort((a, b) => b - a)).toEqual(scales);
      expect(Math.max(width, height) * scales[0]!).toBeLessThanOrEqual(8192 + 1e-6);
      const lastScale = scales.at(-1)!;
      expect(width * lastScale * (height * lastScale)).toBeLessThanOrEqual(4_194_304);
    }),
  );
});

it('returns no scale for a page without an area', () => {
  for (const [width, height] of [
    [0, 500],
    [500, NaN],
    [-1, 5],
  ] as const)
    expect(listPageScales(width, height)).toEqual([]);
});
