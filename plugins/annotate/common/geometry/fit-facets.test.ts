import { describe, expect, it } from 'vitest';
import type { SurfaceMesh } from '#plugins/tour';
import { measureDiameter, type DiameterAnswer } from './diameter.ts';
import { seeded } from './random.ts';

type CompassAndZoom = readonly [x: number, y: number, z: number];

/** Rows of corners, joined by triangles. `closed` joins the last corner of a row to its first. */
function skin(rows: readonly (readonly CompassAndZoom[])[], closed: boolean): Float64Array {
  const out: number[] = [];
  for (let k = 1; k < rows.length; k += 1) {
    const [low, high] = [rows[k - 1] ?? [], rows[k] ?? []];
    for (let s = 0; s < (closed ? low.length : low.length - 1); s += 1) {
      const [a, b, c, d] = [low[s]!, low[(s + 1) % low.length]!, high[(s + 1) % low.length]!, high[s]!];
      out.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  }
  return Float64Array.from(out);
}

const ring = (radius: number, z: number, sides: number): readonly CompassAndZoom[] =>
  Array.from({ length: sides }, (_, k) => [
    radius * Math.cos((k * 2 * Math.PI) / sides),
    radius * Math.sin((k * 2 * Math.PI) / sides),
    z,
  ]);

/** A click on one of the triangles. It offers no points, so that only the facets can answer. */
const measure = (corners: Float64Array, hit = 0, points = new Float64Array()): Promise<DiameterAnswer> => {
  const mesh: SurfaceMesh = { corners, hit };
  return measureDiameter([corners[hit * 9]!, corners[hit * 9 + 1]!, corners[hit * 9 + 2]!], async () => points, {
    sigma: 0.001,
    mesh: async () => mesh,
  });
};

describe('measureDiameter of facets', () => {
  it('[TOUR-24] takes the corners for the circle and covers the sides by twice its uncertainty', async () => {
    const { diameter } = await measure(skin([ring(0.5, 0, 12), ring(0.5, 2, 12)], true));
    expect(diameter?.value).toBeCloseTo(1, 9);
    expect(diameter).toMatchObject({ sides: 12, fit: { arc: 360 } });
    expect(2 * diameter!.sigma).toBeGreaterThanOrEqual(1 - Math.cos(Math.PI / 12));
    expect(2 * diameter!.sigma).toBeLessThan(1.02 * (1 - Math.cos(Math.PI / 12)));
  });

  it('[TOUR-24] is nearly certain if only the corners or only the sides give a standard pipe size', async () => {
    const radius = 0.2191 / 2;
    const on = (await measure(skin([ring(radius, 0, 8), ring(radius, 1, 8)], true))).diameter!;
    const outside = (
      await measure(
        skin([ring(radius / Math.cos(Math.PI / 8), 0, 8), ring(radius / Math.cos(Math.PI / 8), 1, 8)], true),
      )
    ).diameter!;
    for (const { value, sigma, nominal } of [on, outside]) {
      expect(value).toBeCloseTo(0.2191, 6);
      expect(nominal?.nps).toBe('8');
      expect(sigma).toBeLessThan(0.004);
    }
  });

  it('[TOUR-24] finds the straight pipe next to a reducer and counts a split side once', async () => {
    const between = (a: readonly CompassAndZoom[]): readonly CompassAndZoom[] =>
      a.flatMap((one, k) => {
        const other = a[(k + 1) % a.length]!;
        return [one, [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2, one[2]] as const];
      });
    const rows = [ring(0.3, 0, 16), ring(0.3, 1, 16), ring(0.2, 1.4, 16), ring(0.2, 2, 16)];
    const whole = (await measure(skin(rows, true))).diameter!;
    const cut = (await measure(skin(rows.map(between), true))).diameter!;
    for (const { value, sides } of [whole, cut]) {
      expect(value).toBeCloseTo(0.6, 6);
      expect(sides).toBe(16);
    }
  });

  it('[TOUR-24] refuses a wall, a reducer, a bevel and a sliver with the reason', async () => {
    const wall = [0, 1].map((z): readonly CompassAndZoom[] => [0, 1, 2].map((x): CompassAndZoom => [x, 0, z]));
    expect((await measure(skin(wall, false))).refusal).toBe('flat');
    expect((await measure(skin([ring(0.5, 0, 16), ring(0.3, 0.3, 16)], true))).refusal).toBe('rough');
    const bevel = [0, 1].map((z): readonly CompassAndZoom[] => [
      [0, 0, z],
      [1, 0, z],
      [1.05, 0.05, z],
      [1.05, 1, z],
    ]);
    expect((await measure(skin(bevel, false), 2)).refusal).toBe('rough');
    const sliver = [ring(0.5, 0, 36).slice(0, 6), ring(0.5, 1, 36).slice(0, 6)];
    expect((await measure(skin(sliver, false))).refusal).toBe('narrow');
  });

  it('[TOUR-24] leaves a scanned mesh of small uneven triangles to the point fit', async () => {
    const random = seeded(7);
    const rows = Array.from({ length: 40 }, (_, z) =>
      ring(0.1, z * 0.015, 48).map(
        (corner) => corner.map((value) => value + (random() - 0.5) * 0.004) as unknown as CompassAndZoom,
      ),
    );
    const points = Float64Array.from(
      Array.from({ length: 900 }, () => {
        const [turn, z] = [random() * Math.PI, random() * 0.6];
        return [0.1 * Math.cos(turn), 0.1 * Math.sin(turn), z];
      }).flat(),
    );
    const { diameter } = await measure(skin(rows, true), 40, points);
    expect(diameter?.value).toBeCloseTo(0.2, 3);
    expect(diameter?.sides).toBeUndefined();
    // A triangle of some 20 mm lies half a millimetre inside its corners.
    expect(diameter!.sigma).toBeGreaterThan(0.0002);
  });
});
