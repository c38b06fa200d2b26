import { toDegrees, normalizePan } from '#core';
import type { ContentNode } from '../../../contract/api/tour-content.ts';
import { roundMetres, type EastNorth } from './to-eye-point.ts';

/** Position (metres in the site frame) and heading (degrees clockwise from north) of a viewpoint. */
export type Pose = Pick<ContentNode, 'position' | 'heading'>;
export type { EastNorth };

/** Rounds to hundredths of a degree, like the fields. */
const roundDegrees = (value: number): number => normalizePan(Math.round(value * 100) / 100);

export function movePose(pose: Pose, [dEast, dNorth]: EastNorth, dUp = 0): Pose {
  // Coordinates that do not move must not be rounded.
  if (dEast === 0 && dNorth === 0 && dUp === 0) return pose;
  const [east, north, up] = pose.position;
  const { heading } = pose;
  return { position: [roundMetres(east + dEast), roundMetres(north + dNorth), roundMetres(up + dUp)], heading };
}

export const turnPose = (pose: Pose, degrees: number): Pose =>
  degrees === 0 ? pose : { ...pose, heading: roundDegrees(pose.heading + degrees) };

/** Turns a pose to a point. The heading is unchanged if the point equals the position. */
export function turnPoseTo(pose: Pose, [east, north]: EastNorth): Pose {
  const [dEast, dNorth] = [east - pose.position[0], north - pose.position[1]];
  return Math.hypot(dEast, dNorth) < 1e-6
    ? pose
    : { ...pose, heading: roundDegrees(toDegrees(Math.atan2(dEast, dNorth))) };
}

export const isSamePose = (a: Pose, b: Pose): boolean =>
  a.heading === b.heading && a.position.every((value, axis) => value === b.position[axis]);

const keyDirections: Readonly<Record<string, EastNorth>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const stepMetres = 0.1;
const largeStepMetres = 1;

/**
 * Finds the movement of an arrow key on a plan whose upper edge has a heading: 0.1 m, with Shift 1 m. Undefined for
 * other keys.
 */
export function findKeyStep(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  planHeading: number,
): EastNorth | undefined {
  const direction = keyDirections[key];
  if (!direction) return undefined;
  const length = shiftKey ? largeStepMetres : stepMetres;
  const angle = (planHeading * Math.PI) / 180;
  const [right, up] = [direction[0] * length, direction[1] * length];
  return [right * Math.cos(angle) + up * Math.sin(angle), up * Math.cos(angle) - right * Math.sin(angle)];
}

/** Finds the angle in degrees by which `[` and `]` turn. Undefined for other keys. */
export function findKeyTurn(key: string): number | undefined {
  return key === '[' ? -1 : key === ']' ? 1 : undefined;
}
