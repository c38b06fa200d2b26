import { beforeAll, describe, expect, it } from 'vitest';
import type { DemoPoints } from '#plugins/scan';
import { plant } from '../plant/plant.ts';
import { scanPoints, type ScanOptions } from './scan-points.ts';

async function first(batches: number, options: ScanOptions): Promise<readonly DemoPoints[]> {
  const out: DemoPoints[] = [];
  for await (const batch of scanPoints(options)) if (out.push(batch) === batches) break;
  return out;
}

/** Metres from the first scanner, of every point. */
const ranges = (batches: readonly DemoPoints[]): readonly number[] => {
  const [x, y, z] = plant.nodes[0]!.position;
  return batches.flatMap(({ positions, count }) =>
    Array.from({ length: count }, (_, k) =>
      Math.hypot(positions[3 * k]! - x, positions[3 * k + 1]! - y, positions[3 * k + 2]! - z),
    ),
  );
};

describe("the demo's scan", () => {
  const rows = 700;
  let clean: readonly number[];
  beforeAll(async () => (clean = ranges(await first(rows, { noise: 0, share: 1 }))));

  /** Distance of each point behind its surface, in metres. */
  const errors = async (options: ScanOptions): Promise<readonly number[]> => {
    const found = ranges(await first(rows, { share: 1, ...options }));
    expect(found).toHaveLength(clean.length);
    return found.map((range, k) => range - clean[k]!);
  };

  it('lies on the captured surfaces, at whole millimetres from the scanner', () => {
    expect(clean.length).toBeGreaterThan(10_000);
    expect(
      Math.max(...clean.map((range) => Math.abs(range * 1000 - Math.round(range * 1000))).slice(0, 50_000)),
    ).toBeLessThan(1e-6);
  });

  it('has the requested noise, along the ray', async () => {
    const found = await errors({ noise: 0.003 });
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    expect(Math.abs(mean)).toBeLessThan(0.000_05);
    expect(Math.sqrt(found.reduce((sum, value) => sum + (value - mean) ** 2, 0) / found.length) / 0.003).toBeCloseTo(
      1,
      1,
    );
  });

  it('has the requested outliers', async () => {
    const found = await errors({ noise: 0.003, outliers: 0.1 });
    // Of those within half a metre 96 % are further off than 0.02 m, beyond the noise.
    expect(found.filter((value) => Math.abs(value) > 0.02).length / found.length).toBeCloseTo(0.096, 2);
  });

  it('is equal for equal seeds, and different for others', async () => {
    expect(await first(50, {})).toEqual(await first(50, {}));
    expect(await first(50, { seed: 1 })).not.toEqual(await first(50, { seed: 2 }));
  });
});
