import { toDegrees, normalizePan, type Point3 } from '#core';
import type { ScanPose } from '../../../contract/api/admin.ts';
import type { E57Pose } from '../../adapters/e57/e57-description.ts';

/** The pose of files that are already in the site frame. */
export const identityPose: ScanPose = { position: [0, 0, 0], heading: 0 };

export const isIdentityPose = ({ position, heading }: ScanPose): boolean =>
  heading === 0 && position.every((value) => value === 0);

/** Converts a point of the import to the site frame. */
export function toSiteFrame({ position, heading }: ScanPose, [x, y, z]: Point3): Point3 {
  const angle = (heading * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [x * cos + y * sin + position[0], y * cos - x * sin + position[1], z + position[2]];
}

/** Converts a point of the site frame to the import's frame. */
export function toImportFrame({ position, heading }: ScanPose, point: Point3): Point3 {
  return toSiteFrame({ position: [0, 0, 0], heading: -heading }, [
    point[0] - position[0],
    point[1] - position[1],
    point[2] - position[2],
  ]);
}

/** The concatenated rows of a rotation matrix `M` of `out = M * in`. */
export type Rotation = readonly [number, number, number, number, number, number, number, number, number];

export function toRotation(pose: E57Pose | undefined): Rotation {
  const [w, x, y, z] = pose?.rotation ?? [1, 0, 0, 0];
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}

/**
 * Returns the heading of the scanner's x axis, in degrees clockwise from the import's north; 0 if the axis is vertical.
 */
export function computeHeading([a, , , b]: Rotation): number {
  return Math.hypot(a, b) < 1e-6 ? 0 : normalizePan(toDegrees(Math.atan2(a, b)));
}
