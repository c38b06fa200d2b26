import type { Point3 } from '#core';
import type { StatedSystem } from './coordinates/stated-system.ts';

/** A batch of points in the order of the file. */
export interface PointBatch {
  readonly count: number;
  /** x y z of each point in the units of the file, or in metres of the site frame after conversion. */
  readonly positions: Float64Array;
  /** Red, green, blue of each point, scaled to 0 to 65535; undefined if the file has none. */
  readonly colors: Uint16Array | undefined;
  /** In the units of the file; undefined if it has none. */
  readonly intensities: Float32Array | undefined;
}

export type PointFormat = 'E57' | 'LAS' | 'LAZ' | 'COPC' | 'EPT';

/** An opened file of points. */
export interface PointSource {
  readonly format: PointFormat;
  /** Number of points with a position; the batches contain only these. */
  readonly count: number;
  /** Number of points that the file declares. */
  readonly declared: number;
  /** The coordinate system of the file; undefined if it states none. */
  readonly system: StatedSystem | undefined;
  /** The bounding box that the file states, in its own unit; undefined if it states none. */
  readonly bounds: { readonly minimum: Point3; readonly maximum: Point3 } | undefined;
  /** Yields all points in batches of some ten thousand, with bounded memory. Throws `ScanUnreadable`. */
  readPoints(): AsyncGenerator<PointBatch>;
}
