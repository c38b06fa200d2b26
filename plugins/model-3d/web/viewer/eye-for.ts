import { clamp, toDirection, minus, radians, times, type Point3 } from '#core';
import type { EyeView } from '#plugins/tour';

/** The camera position that shows a sphere completely in the current direction, but not from below the floor. */
export function eyeFor(
  centre: Point3,
  radius: number,
  { pan, tilt, fov }: EyeView,
  aspect: number,
): Pick<EyeView, 'position' | 'pan' | 'tilt'> {
  const down = clamp(tilt, -60, -10);
  const half = Math.min(radians(fov) / 2, Math.atan(Math.tan(radians(fov) / 2) * aspect));
  const away = (Math.max(radius, 0.15) / Math.sin(half)) * 1.15;
  return { position: minus(centre, times(toDirection(pan, down), away)), pan, tilt: down };
}
