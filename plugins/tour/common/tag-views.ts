import { perpendicularAxes, plus, toRadians, times, toPanTilt, unitVector, vectorLength, type Point3 } from '#core';

/** A viewpoint sees tags within this distance, metres. */
export const tagReachMetres = 25;

/** Kinds of equipment whose position is their centre, which can be metres behind their surface. */
const largeKinds: readonly string[] = ['VESSEL', 'TANK', 'EXCHANGER', 'COMPRESSOR', 'PUMP', 'STRUCTURE'];
/** A surface that is at most this much nearer than the position of a tag belongs to the tag. */
const ownDepthMetres = { large: 2, small: 0.5 } as const;
/** Radius of the circle of samples around the tag, metres. */
const sampleRadiusMetres = 0.25;
/** A tag is visible if at least this fraction of its samples is not hidden. */
export const minVisibleFraction = 0.2;

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
 * Computes the fraction of nine rays around a tag that no surface hides, 0 to 1. Below `minVisibleFraction` the tag is
 * hidden.
 *
 * @param ray from the camera to the tag, metres
 * @param rangeAt returns the range in metres in a direction in degrees; 0 means no return, which hides nothing
 */
export function computeVisibleFraction(
  ray: Point3,
  kind: string,
  rangeAt: (pan: number, tilt: number) => number,
): number {
  const length = vectorLength(ray);
  if (length === 0) return 1;
  const [right, up] = perpendicularAxes(unitVector(ray));
  const ownDepth = ownDepthMetres[largeKinds.includes(kind) ? 'large' : 'small'];
  const freeSamples = samples.filter(([x, y]) => {
    const target = plus(ray, plus(times(right, x * sampleRadiusMetres), times(up, y * sampleRadiusMetres)));
    const { pan, tilt } = toPanTilt(target);
    const range = rangeAt(pan, tilt);
    return range === 0 || range >= vectorLength(target) - ownDepth;
  });
  return freeSamples.length / samples.length;
}

/** A view straight up or down ranks like a level view at this multiple of its distance. */
const maxSteepness = 5;

/**
 * Returns the rank of a view of a tag: its distance in metres, multiplied if the view is steep. The lowest is the best.
 */
export const rankView = ({ distance, tilt }: { readonly distance: number; readonly tilt: number }): number =>
  distance / Math.max(1 / maxSteepness, Math.cos(toRadians(tilt)));
