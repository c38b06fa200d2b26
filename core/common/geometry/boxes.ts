import { vectorLength } from './vectors.ts';
import type { Point3 } from './view-state.ts';

/** An axis-aligned box. */
export interface Box {
  readonly min: Point3;
  readonly max: Point3;
}

/** The smallest box around some points. With no points its bounds are infinite. */
export const boxAround = (points: readonly Point3[]): Box => ({
  min: [0, 1, 2].map((axis) => Math.min(...points.map((point) => point[axis]!))) as unknown as Point3,
  max: [0, 1, 2].map((axis) => Math.max(...points.map((point) => point[axis]!))) as unknown as Point3,
});

export const boxCorners = ({ min, max }: Box): readonly Point3[] =>
  [min[0], max[0]].flatMap((x) => [min[1], max[1]].flatMap((y) => [min[2], max[2]].map((z): Point3 => [x, y, z])));

/** The distance from a point to a box, 0 inside. */
export const distanceToBox = (point: Point3, { min, max }: Box): number =>
  vectorLength(
    [0, 1, 2].map((axis) => Math.max(min[axis]! - point[axis]!, 0, point[axis]! - max[axis]!)) as unknown as Point3,
  );
