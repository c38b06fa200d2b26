import type { QueryExecutorProvider } from 'kysely';
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
  /** Resolves with true if there are surfaces at one of these locations. */
  hasSurfaces(locations: readonly string[]): Promise<boolean>;
  /**
   * Yields the range image of each view, in their order, from the surfaces at these locations: millimetres, row by row,
   * 0 where there is no surface.
   */
  computeRanges(
    locations: readonly string[],
    views: readonly RangeView[],
    signal: AbortSignal,
  ): AsyncIterable<Uint16Array>;
}

/** The surfaces of the site, for the server half. Plugins register their surfaces while they are mounted. */
export const SiteSurfaces = token<SiteSurfaces>('tour.SiteSurfaces');
export interface SiteSurfaces {
  register(provider: SurfaceProvider): void;
  /** Resolves with true if there is a model or a cloud at one of these locations. */
  hasSurfaces(locations: readonly string[]): Promise<boolean>;
  /**
   * Starts a job that deletes the computed range images at a location, its ancestors and its descendants. Call it in
   * the transaction that moves, replaces or deletes a surface, and call `notifyRunners` after the commit.
   */
  dropRanges(location: string, transaction: QueryExecutorProvider): Promise<void>;
}
