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
  /** Whether there are surfaces at one of these locations. */
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

/** The surfaces of the site, for the server half. Plugins register what they know while they are mounted. */
export const SiteSurfaces = token<SiteSurfaces>('tour.SiteSurfaces');
export interface SiteSurfaces {
  register(provider: SurfaceProvider): void;
  /** Whether a model or a cloud is at one of these locations. */
  hasSurfaces(locations: readonly string[]): Promise<boolean>;
  /**
   * Drops the range images that were computed at a location, above it and below it, by a job. Call it in the
   * transaction that moves, replaces or deletes a surface there, and `notifyRunners` after its commit.
   */
  dropRanges(location: string, transaction: QueryExecutorProvider): Promise<void>;
}
