import { clamp, distanceBetween, toRadians, times, toDirection, type Point3 } from '#core';
import type { CameraView, PanoramaArea } from '#plugins/tour';
import type { Box } from './model-content.ts';

/** Space around the sphere, as a factor of the distance. */
const margin = 1.15;
/** Smaller objects are shown as if they had this radius, metres. */
const minRadius = 0.15;

/** Directions that are tried after the current one, degrees. */
const panOffsets = [0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180] as const;
const tilts = [-25, -50] as const;
/** Share of the points of an object that must be visible for a direction to be taken at once. */
const sufficientFraction = 0.75;

type Eye = Pick<CameraView, 'position' | 'pan' | 'tilt'>;

/**
 * Computes a view of a box like `computeEye`. If other objects hide the box in the current direction, takes the nearest
 * direction from which most of the box is visible, or else the direction that shows the largest part. Yields after each
 * direction, because some 300 points may have to be tested.
 *
 * @param isClear whether a point of the box is visible from an eye, site frame, metres
 */
export function* searchClearEye(
  { min, max }: Box,
  view: CameraView,
  size: { readonly width: number; readonly height: number },
  freeArea: PanoramaArea | undefined,
  isClear: (eye: Point3, point: Point3) => boolean,
): Generator<void, Eye> {
  const at = (x: number, y: number, z: number): Point3 => [
    min[0] + (max[0] - min[0]) * x,
    min[1] + (max[1] - min[1]) * y,
    min[2] + (max[2] - min[2]) * z,
  ];
  const centre = at(0.5, 0.5, 0.5);
  const radius = distanceBetween(min, max) / 2;
  const sides = [0.2, 0.8];
  const points = [centre, ...sides.flatMap((x) => sides.flatMap((y) => sides.map((z) => at(x, y, z))))];
  const sufficientCount = Math.ceil(points.length * sufficientFraction);
  /** Stops as soon as the count is sufficient, or can no longer exceed `bestCount`. */
  const countClear = (eye: Eye, bestCount: number): number => {
    let count = 0;
    for (const [index, point] of points.entries()) {
      if (count >= sufficientCount || count + points.length - index <= bestCount) break;
      if (isClear(eye.position, point)) count += 1;
    }
    return count;
  };
  const toEye = (pan: number, tilt: number): Eye => computeEye(centre, radius, { ...view, pan, tilt }, size, freeArea);
  let best = { eye: toEye(view.pan, view.tilt), count: -1 };
  // The set avoids trying a tilt twice if the current tilt is one of `tilts`.
  for (const tilt of new Set([best.eye.tilt, ...tilts]))
    for (const offset of panOffsets) {
      const eye = toEye(view.pan + offset, tilt);
      const count = countClear(eye, best.count);
      if (count > best.count) best = { eye, count };
      if (count >= sufficientCount) return eye;
      yield;
    }
  return best.eye;
}

/**
 * Computes the view that shows a sphere completely, at the centre of a part of the picture. It has the current
 * direction, but always looks from above.
 *
 * @param radius of the sphere, metres
 * @param size of the picture, pixels
 * @param freeArea the part, pixels from the picture's top left corner. The whole picture if absent or empty.
 */
export function computeEye(
  centre: Point3,
  radius: number,
  { pan, tilt, fov }: CameraView,
  size: { readonly width: number; readonly height: number },
  freeArea?: PanoramaArea,
): Eye {
  const hasFreeArea = freeArea !== undefined && freeArea.width > 0 && freeArea.height > 0;
  const area = hasFreeArea ? freeArea : { left: 0, top: 0, ...size };
  const limitedTilt = clamp(tilt, -60, -10);
  const halfHeight = Math.tan(toRadians(fov) / 2);
  const halfWidth = (halfHeight * size.width) / size.height;
  const toRightTangent = (x: number): number => ((2 * x) / size.width - 1) * halfWidth;
  const toUpTangent = (y: number): number => (1 - (2 * y) / size.height) * halfHeight;
  const rightTangent = toRightTangent(area.left + area.width / 2);
  const upTangent = toUpTangent(area.top + area.height / 2);
  const shownRadius = Math.max(radius, minRadius);
  const distance =
    margin *
    Math.max(
      computeDistance(shownRadius, rightTangent, toRightTangent(area.left), toRightTangent(area.left + area.width)),
      computeDistance(shownRadius, upTangent, toUpTangent(area.top + area.height), toUpTangent(area.top)),
    );
  const offsets = [
    times(toDirection(pan, limitedTilt), distance),
    times(toDirection(pan + 90, 0), rightTangent * distance),
    times(toDirection(pan, limitedTilt + 90), upTangent * distance),
  ];
  const position = offsets.reduce<Point3>(([x, y, z], offset) => [x - offset[0], y - offset[1], z - offset[2]], centre);
  return { position, pan, tilt: limitedTilt };
}

/**
 * Computes the distance along the view direction at which a sphere touches the nearer of two lines of sight. The lines
 * and the direction of the sphere's centre are given as tangents of their angles from the view direction.
 */
function computeDistance(radius: number, centreTangent: number, fromTangent: number, toTangent: number): number {
  const angle = Math.min(
    Math.atan(toTangent) - Math.atan(centreTangent),
    Math.atan(centreTangent) - Math.atan(fromTangent),
  );
  return radius / (Math.sin(angle) * Math.hypot(1, centreTangent));
}
