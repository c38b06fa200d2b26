import type { StoredPoint } from '#plugins/annotate';
import type { SurfacePick, ViewSurface } from '#plugins/tour';
import { pixelSizeAt } from './pixel-size.ts';

/**
 * Pixels that a hand is off in each direction, one standard deviation: it holds a mouse within three pixels of what it
 * means.
 */
const aimPx = 1.5;

/** A pick as it is kept: as uncertain as its surface is, and as the hand that clicked. */
export function toStoredPoint(
  { point, sigma, source, edge, normal }: SurfacePick,
  surface: Pick<ViewSurface, 'toPixel'>,
): StoredPoint {
  const aim = aimPx * (pixelSizeAt(surface, point, normal) ?? 0);
  return { point, sigma: sigma === undefined ? null : Math.hypot(sigma, aim), source, edge };
}
