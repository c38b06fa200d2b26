import type { Point3 } from '#core';
import type { StatedSystem } from './coordinates/stated-system.ts';

/** Some points, in the order of the file. */
export interface PointBatch {
  readonly count: number;
  /** x y z of each point: as the file counts, or in the site frame in metres once it is converted. */
  readonly positions: Float64Array;
  /** Red, green, blue of each point as the file's numbers scaled into 0 to 65535; undefined where the file has none. */
  readonly colors: Uint16Array | undefined;
  /** As the file's numbers; undefined where it has none. */
  readonly intensities: Float32Array | undefined;
}

export type PointFormat = 'E57' | 'LAS' | 'LAZ' | 'COPC' | 'EPT';

/** An opened file of points. */
export interface PointSource {
  readonly format: PointFormat;
  /** Points that are read; those without a position are not among the batches. */
  readonly count: number;
  /** Points that the file says it holds, or has room for. */
  readonly declared: number;
  /** What the file says of its coordinates; undefined: nothing. */
  readonly system: StatedSystem | undefined;
  /** As the file states it, in its own unit; undefined where it states none. */
  readonly bounds: { readonly minimum: Point3; readonly maximum: Point3 } | undefined;
  /** All points in batches of at most some ten thousand; memory stays bounded. Throws `ScanUnreadable`. */
  points(): AsyncGenerator<PointBatch>;
}
