import { mandatory, max, min, number, type Rule } from '#core';

/** Position and heading of an object in the site frame: metres, and degrees clockwise. */
export interface Pose {
  readonly position: [x: number, y: number, z: number];
  readonly heading: number;
}

/** The form fields of a pose, relative to its path. */
export type PosePath = `position.${0 | 1 | 2}` | 'heading';

const coordinateRules: readonly Rule<number>[] = [mandatory, number, min(-1e8), max(1e8)];
const headingRules: readonly Rule<number>[] = [mandatory, number, min(-360), max(360)];

/** Validation rules for a pose whose field paths start with a prefix such as `pose.`. */
export function buildPoseRules<Prefix extends string>(
  prefix: Prefix,
): Readonly<Record<`${Prefix}${PosePath}`, readonly Rule<number>[]>> {
  return {
    [`${prefix}position.0`]: coordinateRules,
    [`${prefix}position.1`]: coordinateRules,
    [`${prefix}position.2`]: coordinateRules,
    [`${prefix}heading`]: headingRules,
  } as Readonly<Record<`${Prefix}${PosePath}`, readonly Rule<number>[]>>;
}

/** Rounds a pose for form fields, to a micrometre and a millionth of a degree. */
export function roundPose({
  position: [x, y, z],
  heading,
}: {
  readonly position: readonly [number, number, number];
  readonly heading: number;
}): Pose {
  return { position: [round(x), round(y), round(z)], heading: round(heading) };
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;
