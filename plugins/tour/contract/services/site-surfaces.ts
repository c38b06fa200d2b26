import { token, type Point3 } from '#core';
import type { rangeSources } from '../api.ts';

/** A panorama whose ranges are computed. */
export interface RangeView {
  /** Site frame, metres. */
  readonly position: Point3;
  /** Direction of the image's centre, degrees. */
  readonly heading: number;
  /** Width of the image, pixels. It is half as high. */
  readonly width: number;
}

/** Provides the surfaces of the site, from which range images of panoramas are computed. */
export interface SurfaceProvider {
  readonly source: (typeof rangeSources)[number];
  /** Whether there are surfaces at one of these locations. */
  hasSurfaces(locations: readonly string[]): Promise<boolean>;
  /**
   * Yields the range image of each view, in their order: millimetres, row by row, 0 where there is no surface. The
   * surfaces are those of a location and of the locations above and below it.
   */
  computeRanges(location: string, views: readonly RangeView[], signal: AbortSignal): AsyncIterable<Uint16Array>;
   * Yields the triangles of all surfaces at these locations: nine numbers each, x y z of three corners, in the site
   * frame, metres. A part has at most some hundred thousand triangles.
   */
  readTriangles(locations: readonly string[], signal: AbortSignal): AsyncIterable<Float64Array>;
}

/** The surfaces of the site, for the server half. Plugins register what they know while they are mounted. */
export const SiteSurfaces = token<SiteSurfaces>('tour.SiteSurfaces');
export interface SiteSurfaces {
  register(provider: SurfaceProvider): void;
}
