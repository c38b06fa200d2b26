import { crossProduct, toDegrees, dotProduct, minus, normalizePan, toRadians, toDirection, type Point3 } from '#core';

/** A point of a picture and its position in the site frame. */
export interface TiePoint {
  /**
   * Direction in the picture, degrees. `pan` is to the right of the centre, in [-180, 180). `tilt` is above the
   * horizon.
   */
  readonly pan: number;
  readonly tilt: number;
  /** Metres in the site frame. */
  readonly point: Point3;
}

/**
 * Position (site frame, metres) and orientation (degrees) of a camera. The heading is the direction of the picture's
 * centre, clockwise from north. A positive pitch raises the centre above the horizon; a positive roll lowers the right
 * side.
 */
export interface CameraPose {
  readonly position: Point3;
  readonly heading: number;
  readonly pitch: number;
  readonly roll: number;
}

/** The axes of a camera in the site frame, unit vectors: to the right, to the picture's centre, and up. */
export type CameraAxes = readonly [right: Point3, forward: Point3, up: Point3];

export function toAxes({ heading, pitch, roll }: Omit<CameraPose, 'position'>): CameraAxes {
  const forward = toDirection(heading, pitch);
  const levelRight = toDirection(heading + 90, 0);
  const levelUp = crossProduct(levelRight, forward);
  const [cosine, sine] = [Math.cos(toRadians(roll)), Math.sin(toRadians(roll))];
  return [combine(levelRight, cosine, levelUp, -sine), forward, combine(levelRight, sine, levelUp, cosine)];
}

export function fromAxes([right, forward, up]: CameraAxes): Omit<CameraPose, 'position'> {
  return {
    heading: normalizePan(toDegrees(Math.atan2(forward[0], forward[1]))),
    pitch: toDegrees(Math.asin(Math.min(1, Math.max(-1, forward[2])))),
    // Adding 0 turns -0 into 0.
    roll: toDegrees(Math.atan2(-right[2], up[2])) + 0,
  };
}

/** Converts the direction of a tie to a unit vector in the frame of the camera: right, forward, up. */
export const toPictureDirection = ({ pan, tilt }: Pick<TiePoint, 'pan' | 'tilt'>): Point3 => toDirection(pan, tilt);

/** Converts a vector from the site frame to the frame of a camera. */
export const toCameraFrame = (axes: CameraAxes, vector: Point3): Point3 => [
  dotProduct(axes[0], vector),
  dotProduct(axes[1], vector),
  dotProduct(axes[2], vector),
];

/** Converts a vector from the frame of a camera to the site frame. */
export const toSiteFrame = (axes: CameraAxes, [right, forward, up]: Point3): Point3 =>
  [0, 1, 2].map((axis) => axes[0][axis]! * right + axes[1][axis]! * forward + axes[2][axis]! * up) as unknown as Point3;

/** Computes, for each tie, the angle in degrees between its direction in the picture and the direction of its point. */
export function computeResiduals(pose: CameraPose, ties: readonly TiePoint[]): readonly number[] {
  const axes = toAxes(pose);
  return ties.map((tie) => computeAngle(toPictureDirection(tie), toCameraFrame(axes, minus(tie.point, pose.position))));
}

/** Degrees between two vectors, exact also for small angles. */
export const computeAngle = (a: Point3, b: Point3): number =>
  toDegrees(Math.atan2(Math.hypot(...crossProduct(a, b)), dotProduct(a, b)));

const combine = (a: Point3, factorA: number, b: Point3, factorB: number): Point3 => [
  a[0] * factorA + b[0] * factorB,
  a[1] * factorA + b[1] * factorB,
  a[2] * factorA + b[2] * factorB,
];
