import type { StoredPoint } from '#plugins/annotate';
import type { SurfacePick } from '#plugins/tour';

/** A pick as it is kept. */
export function storedOf({ point, sigma, source, edge }: SurfacePick): StoredPoint {
  return { point, sigma: sigma ?? null, source, edge };
}
