import type { StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import { pixelSizeAt } from '../../viewer/pixel-size.ts';

/** Snap radius in pixels; a tap is imprecise. */
const snapPx = 12;
/** Snap limit in metres from the clicked point: in a view of a large hall twelve pixels are a decimetre. */
const snapMetres = 0.03;

/** The nearest visible point that a click takes instead of the point under it. */
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
