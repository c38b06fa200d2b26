import { toDirection, toRadians, type Point3 } from '#core';

/** Position of the eye in the sample, in metres. */
export const sampleEye: Point3 = [0, 0, 1.6];

const room = { minimum: [-4, -3, 0], maximum: [5, 6, 3.2] } as const;
/** The vertical pipes with their centre, radius and colour. */
const pipes = [
  { x: 1.2, y: 3.4, radius: 0.11, color: [214, 158, 46] },
  { x: 2.4, y: 1.4, radius: 0.25, color: [66, 133, 190] },
  { x: -2.2, y: -1.2, radius: 0.16, color: [176, 74, 60] },
] as const;

/** The intersection of a ray from the sample's eye. */
export interface SampleHit {
  /** The distance from the eye in metres. */
  readonly range: number;
  readonly point: Point3;
  readonly color: readonly [number, number, number];
}

/** Intersects a ray from the eye, in degrees, with the walls of the room and the pipes. It always hits one of them. */
export function castRay(pan: number, tilt: number): SampleHit {
  const direction = toDirection(pan, tilt);
  let range = Infinity;
  let face = 0;
  for (const axis of [0, 1, 2] as const) {
    if (direction[axis] === 0) continue;
    const metres =
      ((direction[axis] > 0 ? room.maximum[axis] : room.minimum[axis]) - sampleEye[axis]) / direction[axis];
    if (metres < range) [range, face] = [metres, axis];
  }
  let color: SampleHit['color'] | undefined;
  const horizontalLength = Math.hypot(direction[0], direction[1]);
  for (const { x, y, radius, color: paint } of pipes) {
    // In plan view, the distance along the ray to its point nearest to the pipe's centre. The ray enters the pipe half
    // a chord earlier.
    const nearestDistance = (x * direction[0] + y * direction[1]) / Math.max(horizontalLength, 1e-9);
    const squaredDistance = x * x + y * y - nearestDistance * nearestDistance;
    if (nearestDistance <= 0 || squaredDistance >= radius * radius) continue;
    const metres = (nearestDistance - Math.sqrt(radius * radius - squaredDistance)) / horizontalLength;
    if (metres < range) [range, color] = [metres, paint];
  }
  const point: Point3 = [
    sampleEye[0] + direction[0] * range,
    sampleEye[1] + direction[1] * range,
    sampleEye[2] + direction[2] * range,
  ];
  return { range, point, color: color ?? choosePaint(face as 0 | 1 | 2, point) };
}

/** Paints walls with one line per metre, and a darker floor. */
function choosePaint(face: 0 | 1 | 2, point: Point3): readonly [number, number, number] {
  const line = ([0, 1, 2] as const).some(
    (axis) => axis !== face && Math.abs(point[axis] - Math.round(point[axis])) < 0.012,
  );
  if (line) return [250, 250, 245];
  if (face === 2) return point[2] < 1 ? [92, 98, 104] : [200, 205, 208];
  return face === 0 ? [140, 160, 150] : [150, 150, 172];
}

/** Computes the direction in degrees of a pixel of a spherical image with north at its centre. */
export function toPixelDirection(
  column: number,
  row: number,
  width: number,
): { readonly pan: number; readonly tilt: number } {
  return { pan: ((column + 0.5) / width - 0.5) * 360, tilt: 90 - ((row + 0.5) / (width / 2)) * 180 };
}

/**
 * Samples points like a scanner in the middle of the room, in `rows` from zenith to nadir. Rows near the poles have
 * fewer points, so that the spacing is equal.
 */
export function* generateSamplePoints(rows: number): Generator<SampleHit> {
  for (let row = 0; row < rows; row++) {
    const tilt = 90 - ((row + 0.5) / rows) * 180;
    const columns = Math.max(1, Math.round(2 * rows * Math.cos(toRadians(tilt))));
    for (let column = 0; column < columns; column++) yield castRay((column / columns) * 360, tilt);
  }
}
