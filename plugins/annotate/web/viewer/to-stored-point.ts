import type { StoredPoint } from '#plugins/annotate';
import type { SurfacePick, ViewSurface } from '#plugins/tour';
import { pixelSizeAt } from './pixel-size.ts';

/** One standard deviation of a click in pixels per direction. A mouse hits within three pixels. */
const clickSigmaPx = 1.5;

/** Converts a pick to a stored point, with the uncertainty of the surface, of the picture's direction and of the click. */
export function toStoredPoint(
  { point, sigma, source, edge, normal, directionSigmaPx = 0 }: SurfacePick,
  surface: Pick<ViewSurface, 'toPixel'>,
): StoredPoint {
  const clickSigma = Math.hypot(clickSigmaPx, directionSigmaPx) * (pixelSizeAt(surface, point, normal) ?? 0);
  return { point, sigma: sigma === undefined ? null : Math.hypot(sigma, clickSigma), source, edge };
}
