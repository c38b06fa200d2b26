import type { StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';

export interface AimOptions {
  /** The key is held that keeps the point where it is clicked. */
  readonly free: boolean;
}

/** What clicks on a surface are for. Pixels from the host's left top corner. */
export interface SurfaceTool {
  /** Those that were taken so far. */
  readonly points: readonly StoredPoint[];
  addAt(surface: ViewSurface, x: number, y: number, options?: AimOptions): Promise<void>;
  hoverAt(surface: ViewSurface, x: number, y: number, options?: AimOptions): Promise<void>;
  leave(): void;
  /** Ends what has no number of points of its own. */
  finish(): void;
  /** A step back: first the points, then the tool. Returns whether there was anything to end. */
  cancel(): boolean;
  /** Takes the last point back. */
  undo(): void;
}
