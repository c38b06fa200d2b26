import type { StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import { pixelSizeAt } from '../../viewer/pixel-size.ts';

/** A pixel is near another within this; a tap is a little wide. */
const snapPx = 12;
/** And no farther than this from what was clicked on: in a view of a whole hall twelve pixels are a decimetre. */
const snapMetres = 0.03;

/** The nearest of some points in sight that a click takes instead of what lies under it. */
export function snapTargetAt(
  surface: ViewSurface,
  targets: readonly StoredPoint[],
  x: number,
  y: number,
): StoredPoint | undefined {
  let nearest: StoredPoint | undefined;
  let least = snapPx;
  for (const target of targets) {
    const pixel = surface.toPixel(target.point);
    const away = pixel ? Math.hypot(pixel.x - x, pixel.y - y) : Infinity;
    if (away >= least || away * (pixelSizeAt(surface, target.point) ?? Infinity) > snapMetres) continue;
    if (surface.sees(target.point)) [nearest, least] = [target, away];
  }
  return nearest;
}
