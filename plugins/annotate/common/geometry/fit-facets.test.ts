import { describe, expect, it } from 'vitest';
import type { SurfaceMesh } from '#plugins/tour';
import { measureDiameter, type DiameterResult } from './diameter.ts';
import { createRandom } from './random.ts';

type Vertex = readonly [x: number, y: number, z: number];

/** Joins rows of corners by triangles. `closed` also joins the last corner of a row to its first. */
function buildSkin(rows: readonly (readonly Vertex[])[], closed: boolean): Float64Array {
  const coordinates: number[] = [];
  for (let k = 1; k < rows.length; k += 1) {
    const [low, high] = [rows[k - 1] ?? [], rows[k] ?? []];
    for (let s = 0; s < (closed ? low.length : low.length - 1); s += 1) {
      const [a, b, c, d] = [low[s]!, low[(s + 1) % low.length]!, high[(s + 1) % low.length]!, high[s]!];
      coordinates.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  }
  return Float64Array.from(coordinates);
}

const buildRing = (radius: number, z: number, sides: number): readonly Vertex[] =>
  Array.from({ length: sides }, (_, k) => [
    radius * Math.cos((k * 2 * Math.PI) / sides),
    radius * Math.sin((k * 2 * Math.PI) / sides),
    z,
  ]);

/** Measures at one of the triangles. Without points, only the facets can give a diameter. */
const measure = (corners: Float64Array, hit = 0, points = new Float64Array()): Promise<DiameterResult> => {
  const mesh: SurfaceMesh = { corners, hit };
  return measureDiameter([corners[hit * 9]!, corners[hit * 9 + 1]!, corners[hit * 9 + 2]!], async () => points, {
    sigma: 0.001,
    findMesh: async () => mesh,
  });
};

describe('measureDiameter of facets', () => {
  it('[TOUR-24] fits the circle through the corners and includes the sides within two sigma', async () => {
    const { diameter } = await measure(buildSkin([buildRing(0.5, 0, 12), buildRing(0.5, 2, 12)], true));
    expect(diameter?.value).toBeCloseTo(1, 9);
    expect(diameter).toMatchObject({ sides: 12, fit: { arc: 360 } });
    expect(2 * diameter!.sigma).toBeGreaterThanOrEqual(1 - Math.cos(Math.PI / 12));
    expect(2 * diameter!.sigma).toBeLessThan(1.02 * (1 - Math.cos(Math.PI / 12)));
  });

  it('[TOUR-24] has a small uncertainty if only the corners or only the sides give a standard pipe size', async () => {
    const radius = 0.2191 / 2;
    const inscribedDiameter = (await measure(buildSkin([buildRing(radius, 0, 8), buildRing(radius, 1, 8)], true)))
      .diameter!;
    const circumscribedDiameter = (
      await measure(
        buildSkin(
          [buildRing(radius / Math.cos(Math.PI / 8), 0, 8), buildRing(radius / Math.cos(Math.PI / 8), 1, 8)],
          true,
        ),
      )
    ).diameter!;
    for (const { value, sigma, nominal } of [inscribedDiameter, circumscribedDiameter]) {
      expect(value).toBeCloseTo(0.2191, 6);
      expect(nominal?.nps).toBe('8');
      expect(sigma).toBeLessThan(0.004);
    }
  });

  it('[TOUR-24] finds the straight pipe next to a reducer, and treats a split side as one side', async () => {
    const splitSides = (a: readonly Vertex[]): readonly Vertex[] =>
      a.flatMap((vertex, k) => {
        const other = a[(k + 1) % a.length]!;
        return [vertex, [(vertex[0] + other[0]) / 2, (vertex[1] + other[1]) / 2, vertex[2]] as const];
      });
    const rows = [buildRing(0.3, 0, 16), buildRing(0.3, 1, 16), buildRing(0.2, 1.4, 16), buildRing(0.2, 2, 16)];
    const unsplit = (await measure(buildSkin(rows, true))).diameter!;
    const split = (await measure(buildSkin(rows.map(splitSides), true))).diameter!;
    for (const { value, sides } of [unsplit, split]) {
      expect(value).toBeCloseTo(0.6, 6);
      expect(sides).toBe(16);
    }
  });

  it('[TOUR-24] refuses a wall, a reducer, a bevel and a sliver with the reason', async () => {
    const wall = [0, 1].map((z): readonly Vertex[] => [0, 1, 2].map((x): Vertex => [x, 0, z]));
    expect((await measure(buildSkin(wall, false))).problem).toBe('flat');
    expect((await measure(buildSkin([buildRing(0.5, 0, 16), buildRing(0.3, 0.3, 16)], true))).problem).toBe('rough');
    const bevel = [0, 1].map((z): readonly Vertex[] => [
      [0, 0, z],
      [1, 0, z],
      [1.05, 0.05, z],
      [1.05, 1, z],
    ]);
    expect((await measure(buildSkin(bevel, false), 2)).problem).toBe('rough');
    const sliver = [buildRing(0.5, 0, 36).slice(0, 6), buildRing(0.5, 1, 36).slice(0, 6)];
    expect((await measure(buildSkin(sliver, false))).problem).toBe('narrow');
  });

  it('[TOUR-24] uses the point fit for a scanned mesh of small uneven triangles', async () => {
    const random = createRandom(7);
    const rows = Array.from({ length: 40 }, (_, z) =>
      buildRing(0.1, z * 0.015, 48).map(
        (corner) => corner.map((value) => value + (random() - 0.5) * 0.004) as unknown as Vertex,
      ),
    );
    const points = Float64Array.from(
      Array.from({ length: 900 }, () => {
        const [angle, z] = [random() * Math.PI, random() * 0.6];
        return [0.1 * Math.cos(angle), 0.1 * Math.sin(angle), z];
      }).flat(),
    );
    const { diameter } = await measure(buildSkin(rows, true), 40, points);
    expect(diameter?.value).toBeCloseTo(0.2, 3);
    expect(diameter?.sides).toBeUndefined();
    // The middle of a triangle of about 20 mm lies half a millimetre inside the cylinder.
    expect(diameter!.sigma).toBeGreaterThan(0.0002);
  });
});
