/** Points of a scan, in batches. */
export interface DemoPoints {
  readonly count: number;
  /** x y z of each, site frame, metres. */
  readonly positions: Float64Array;
  /** Red, green, blue of each, 0 to 65535. */
  readonly colors: Uint16Array;
  /** 0 to 1. */
  readonly intensities: Float32Array;
}

/** A point cloud of the demo: some million points, made while they are read. */
export interface DemoCloud {
  readonly code: string;
  readonly name: string;
  /** uid of the PLATFORM_UNIT. */
  readonly location: string;
  /** ISO 8601. */
  readonly capturedAt: string;
  /** The same each time. */
  points(): AsyncIterable<DemoPoints>;
}

/** What scan seeds of the demo plant. */
export interface ScanDemo {
  readonly clouds: readonly DemoCloud[];
}
