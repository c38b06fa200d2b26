/** A batch of points of a scan. */
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
  /** Uid of the PLATFORM_UNIT. */
  readonly location: string;
  /** ISO 8601. */
  readonly capturedAt: string;
  /** Generates the same points at each call. */
  points(): AsyncIterable<DemoPoints>;
}

/** The demo data that scan seeds. */
export interface ScanDemo {
  readonly clouds: readonly DemoCloud[];
}
