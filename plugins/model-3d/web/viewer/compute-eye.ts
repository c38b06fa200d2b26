import { clamp, toDirection, minus, radians, times, type Point3 } from '#core';
import type { EyeView } from '#plugins/tour';

/** Computes the view that shows a sphere completely from the current direction, but always from above. */
export function computeEye(
  centre: Point3,
  radius: number,
  { pan, tilt, fov }: EyeView,
  aspect: number,
): Pick<EyeView, 'position' | 'pan' | 'tilt'> {
  const limitedTilt = clamp(tilt, -60, -10);
  const halfAngle = Math.min(radians(fov) / 2, Math.atan(Math.tan(radians(fov) / 2) * aspect));
  const distance = (Math.max(radius, 0.15) / Math.sin(halfAngle)) * 1.15;
  return { position: minus(centre, times(toDirection(pan, limitedTilt), distance)), pan, tilt: limitedTilt };
}
