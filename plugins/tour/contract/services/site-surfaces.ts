import { token } from '#core';
import type { rangeSources } from '../api.ts';

/** Provides the surfaces of the site, from which range images of panoramas are computed. */
export interface SurfaceProvider {
  readonly source: (typeof rangeSources)[number];
  /** Whether there are surfaces for a location. */
  hasSurfaces(location: string): Promise<boolean>;
  /**
   * Yields the triangles of all surfaces of a location and of those above and below it: nine numbers each, x y z of
   * three corners, in the site frame, metres. A part has at most some hundred thousand triangles.
   */
  readTriangles(location: string, signal: AbortSignal): AsyncIterable<Float64Array>;
}

/** The surfaces of the site, for the server half. Plugins register what they know while they are mounted. */
export const SiteSurfaces = token<SiteSurfaces>('tour.SiteSurfaces');
export interface SiteSurfaces {
  register(provider: SurfaceProvider): void;
}
