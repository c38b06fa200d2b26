import type { StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import { pixelSizeAt } from '../../viewer/pixel-size.ts';

/** Largest distance in pixels between the click and a snap target. It allows for imprecise taps. */
const snapPx = 12;
/** A second limit, in metres: in a view of a large hall, twelve pixels may cover a decimetre. */
const snapMetres = 0.03;

/** Finds the nearest visible target to which a click snaps. */
export function snapTargetAt(
  surface: ViewSurface,
  targets: readonly StoredPoint[],
  x: number,
  y: number,
): StoredPoint | undefined {
  let nearest: StoredPoint | undefined;
  let nearestPx = snapPx;
  for (const target of targets) {
    const pixel = surface.toPixel(target.point);
    const distancePx = pixel ? Math.hypot(pixel.x - x, pixel.y - y) : Infinity;
    if (distancePx >= nearestPx || distancePx * (pixelSizeAt(surface, target.point) ?? Infinity) > snapMetres) continue;
    if (surface.sees(target.point)) [nearest, nearestPx] = [target, distancePx];
  }
  return nearest;
}
