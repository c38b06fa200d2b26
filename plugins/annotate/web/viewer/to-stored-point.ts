import type { StoredPoint } from '#plugins/annotate';
import type { SurfacePick, ViewSurface } from '#plugins/tour';
import { pixelSizeAt } from './pixel-size.ts';

/** One standard deviation of a click in pixels per direction. A mouse hits within three pixels. */
const clickSigmaPx = 1.5;

/**
 * Converts a pick to a stored point, with the uncertainty of the surface, of the picture's direction and of the click.
 * The uncertainty is unknown if the point is no longer in the picture.
 */
export function toStoredPoint(
  { point, sigma, source, edge, normal, directionSigmaPx = 0 }: SurfacePick,
  surface: Pick<ViewSurface, 'toPixel'>,
): StoredPoint {
  const pixelSize = pixelSizeAt(surface, point, normal);
  if (sigma === undefined || pixelSize === undefined) return { point, sigma: null, source, edge };
  return { point, sigma: Math.hypot(sigma, Math.hypot(clickSigmaPx, directionSigmaPx) * pixelSize), source, edge };
}
