import { beforeAll, describe, expect, it } from 'vitest';
import type { DemoPoints } from '#plugins/scan';
import { plant } from '../plant/plant.ts';
import { scanPoints, type ScanOptions } from './scan-points.ts';

async function readBatches(batches: number, options: ScanOptions): Promise<readonly DemoPoints[]> {
  const out: DemoPoints[] = [];
  for await (const batch of scanPoints(options)) if (out.push(batch) === batches) break;
  return out;
}

/** The distance of each point from the first scanner, in metres. */
const computeRanges = (batches: readonly DemoPoints[]): readonly number[] => {
  const [x, y, z] = plant.nodes[0]!.position;
  return batches.flatMap(({ positions, count }) =>
    Array.from({ length: count }, (_, k) =>
      Math.hypot(positions[3 * k]! - x, positions[3 * k + 1]! - y, positions[3 * k + 2]! - z),
    ),
  );
};

describe("the demo's scan", () => {
  const rows = 700;
  let exactRanges: readonly number[];
  beforeAll(async () => (exactRanges = computeRanges(await readBatches(rows, { noise: 0, fraction: 1 }))));

  /** The distance of each point behind the scanned surface, in metres. */
  const computeErrors = async (options: ScanOptions): Promise<readonly number[]> => {
    const ranges = computeRanges(await readBatches(rows, { fraction: 1, ...options }));
    expect(ranges).toHaveLength(exactRanges.length);
    return ranges.map((range, k) => range - exactRanges[k]!);
  };

  it('lies on the captured surfaces, at whole millimetres from the scanner', () => {
    expect(exactRanges.length).toBeGreaterThan(10_000);
    expect(
      Math.max(...exactRanges.map((range) => Math.abs(range * 1000 - Math.round(range * 1000))).slice(0, 50_000)),
    ).toBeLessThan(1e-6);
  });

  it('has the requested noise, along the ray', async () => {
    const errors = await computeErrors({ noise: 0.003 });
    const mean = errors.reduce((sum, value) => sum + value, 0) / errors.length;
    expect(Math.abs(mean)).toBeLessThan(0.000_05);
    expect(Math.sqrt(errors.reduce((sum, value) => sum + (value - mean) ** 2, 0) / errors.length) / 0.003).toBeCloseTo(
      1,
      1,
    );
  });

  it('has the requested outliers', async () => {
    const errors = await computeErrors({ noise: 0.003, outliers: 0.1 });
    // Outliers are spread over half a metre, so 96 % of them are more than 0.02 m off, which noise never is.
    expect(errors.filter((value) => Math.abs(value) > 0.02).length / errors.length).toBeCloseTo(0.096, 2);
  });

  it('is equal for equal seeds, and different for others', async () => {
    expect(await readBatches(50, {})).toEqual(await readBatches(50, {}));
    expect(await readBatches(50, { seed: 1 })).not.toEqual(await readBatches(50, { seed: 2 }));
  });
});
