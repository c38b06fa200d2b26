import { toDegrees, toRadians } from '#core';
import type { CameraPose } from '../../../../common/alignment/camera-pose.ts';

type Orientation = Omit<CameraPose, 'position'>;

/**
 * Rotates the axes of a camera (x forward, y left, z up; ROS REP 103) into the axes east, north and up. Its length is 1.
 */
export type CameraQuaternion = readonly [w: number, x: number, y: number, z: number];

/** Composes the rotation of a camera. A positive rotation about y lowers its front, one about z turns to the left. */
export const toQuaternion = ({ heading, pitch, roll }: Orientation): CameraQuaternion =>
  multiply(multiply(rotateAbout('z', 90 - heading), rotateAbout('y', -pitch)), rotateAbout('x', roll));

/** Reads the orientation as defined by `CameraPose`. */
export function toOrientation([w, x, y, z]: CameraQuaternion): Orientation {
  const [east, north, up] = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)];
  return {
    heading: toDegrees(Math.atan2(east, north)),
    pitch: toDegrees(Math.asin(Math.min(1, Math.max(-1, up)))),
    // Adding 0 turns -0 into 0.
    roll: toDegrees(Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y))) + 0,
  };
}

/** Turns a camera to the right about its own up axis by an angle in degrees. */
export const turnRight = (camera: Orientation, angle: number): Orientation =>
  toOrientation(multiply(toQuaternion(camera), rotateAbout('z', -angle)));

function rotateAbout(axis: 'x' | 'y' | 'z', angle: number): CameraQuaternion {
  const half = toRadians(angle / 2);
  const sine = Math.sin(half);
  return [Math.cos(half), axis === 'x' ? sine : 0, axis === 'y' ? sine : 0, axis === 'z' ? sine : 0];
}

/** Returns the rotation that applies `b` in the frame of the camera that `a` has rotated. */
const multiply = ([aw, ax, ay, az]: CameraQuaternion, [bw, bx, by, bz]: CameraQuaternion): CameraQuaternion => [
  aw * bw - ax * bx - ay * by - az * bz,
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
];
