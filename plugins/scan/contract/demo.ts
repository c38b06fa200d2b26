/** Points of a scan, in batches. */
export interface DemoPoints {
  readonly count: number;
  /** x y z of each point, in metres of the site frame. */
  readonly positions: Float64Array;
  /** Red, green, blue of each point, 0 to 65535. */
  readonly colors: Uint16Array;
  /** Intensities, 0 to 1. */
  readonly intensities: Float32Array;
}

/** A demo point cloud of some million points, generated on reading. */
export interface DemoCloud {
  readonly code: string;
  readonly name: string;
  /** uid of the PLATFORM_UNIT. */
  readonly location: string;
  /** ISO 8601. */
  readonly capturedAt: string;
  /** Seed of the random numbers. */
  points(): AsyncIterable<DemoPoints>;
}

/** The demo data that scan seeds. */
export interface ScanDemo {
  readonly clouds: readonly DemoCloud[];
}
