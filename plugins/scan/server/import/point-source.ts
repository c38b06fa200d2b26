/** Some points, in the order of the file. */
export interface PointBatch {
  readonly count: number;
  /** x y z of each point, site frame, metres. */
  readonly positions: Float64Array;
  /** Red, green, blue of each point as the file's numbers scaled into 0 to 65535; undefined where the file has none. */
  readonly colors: Uint16Array | undefined;
  /** As the file's numbers; undefined where it has none. */
  readonly intensities: Float32Array | undefined;
}

export type PointFormat = 'E57' | 'LAS' | 'LAZ' | 'COPC';

/** An opened file of points. */
export interface PointSource {
  readonly format: PointFormat;
  /** Points that the file says it holds; those without a position are not among the batches. */
  readonly count: number;
  /** All points in batches of at most some ten thousand; memory stays bounded. Throws `ScanUnreadable`. */
  points(): AsyncGenerator<PointBatch>;
}
