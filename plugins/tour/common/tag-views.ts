import { perpendicularAxes, plus, radians, times, toPanTilt, unitVector, vectorLength, type Point3 } from '#core';

/** A viewpoint sees tags within this distance, metres. */
export const tagReachMetres = 25;

/** Equipment whose position is its centre, metres behind its surface. */
const largeKinds: readonly string[] = ['VESSEL', 'TANK', 'EXCHANGER', 'COMPRESSOR', 'PUMP', 'STRUCTURE'];
/** A surface that is nearer than the tag by at most this belongs to the tag, metres. */
const ownDepthMetres = { large: 2, small: 0.5 } as const;
/** Radius of the circle of samples around the tag, metres. */
const sampleRadiusMetres = 0.25;
/** A tag counts as visible from this share of free samples on. */
export const minVisibleShare = 0.2;

const diagonal = Math.SQRT1_2;
const samples: readonly (readonly [right: number, up: number])[] = [
  [0, 0],
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [diagonal, diagonal],
  [-diagonal, diagonal],
  [diagonal, -diagonal],
  [-diagonal, -diagonal],
];

/**
 * The share of nine rays around a tag that nothing hides, 0 to 1. Below `minVisibleShare` the tag counts as hidden.
 *
 * @param ray from the camera to the tag, metres
 * @param rangeAt range in metres in a direction in degrees; 0 is no return, which hides nothing
 */
export function computeVisibleShare(ray: Point3, kind: string, rangeAt: (pan: number, tilt: number) => number): number {
  const length = vectorLength(ray);
  if (length === 0) return 1;
  const [right, up] = perpendicularAxes(unitVector(ray));
  const ownDepth = ownDepthMetres[largeKinds.includes(kind) ? 'large' : 'small'];
  const free = samples.filter(([x, y]) => {
    const target = plus(ray, plus(times(right, x * sampleRadiusMetres), times(up, y * sampleRadiusMetres)));
    const { pan, tilt } = toPanTilt(target);
    const range = rangeAt(pan, tilt);
    return range === 0 || range >= vectorLength(target) - ownDepth;
  });
  return free.length / samples.length;
}

/** A view straight up or down counts as this many times its distance. */
const maxSteepness = 5;

/** Ranks views of a tag: the lowest is the best one. It is the distance in metres, greater for a steep view. */
export const rankView = ({ distance, tilt }: { readonly distance: number; readonly tilt: number }): number =>
  distance / Math.max(1 / maxSteepness, Math.cos(radians(tilt)));
