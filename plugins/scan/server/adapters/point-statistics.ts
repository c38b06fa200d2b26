import type { Point3 } from '#core';
import type { PointSource } from './point-source.ts';

export interface PointStatistics {
  readonly count: number;
  readonly minimum: Point3;
  readonly maximum: Point3;
  readonly colored: boolean;
  readonly withIntensity: boolean;
}

/** Reads all points of a file once, counts those with a position and computes their bounding box. */
export async function computeStatistics(source: PointSource): Promise<PointStatistics> {
  const minimum: [number, number, number] = [Infinity, Infinity, Infinity];
  const maximum: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let count = 0;
  let colored = false;
  let withIntensity = false;
  for await (const batch of source.readPoints()) {
    count += batch.count;
    colored ||= batch.colors !== undefined;
    withIntensity ||= batch.intensities !== undefined;
    for (let k = 0; k < batch.count * 3; k++) {
      const axis = (k % 3) as 0 | 1 | 2;
      minimum[axis] = Math.min(minimum[axis], batch.positions[k]!);
      maximum[axis] = Math.max(maximum[axis], batch.positions[k]!);
    }
  }
  return { count, minimum, maximum, colored, withIntensity };
}
