import type { StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';

export interface AimOptions {
  /** Whether the key that disables snapping is pressed. */
  readonly free: boolean;
}

/** A tool that handles clicks on a surface. Pixels from the host's top left corner. */
export interface SurfaceTool {
  /** The points so far. */
  readonly points: readonly StoredPoint[];
  addAt(surface: ViewSurface, x: number, y: number, options?: AimOptions): Promise<void>;
  hoverAt(surface: ViewSurface, x: number, y: number, options?: AimOptions): Promise<void>;
  leave(): void;
  /** Ends a kind without a fixed number of points. */
  finish(): void;
  /** Steps back: removes the points, or ends the tool. Returns whether it did anything. */
  cancel(): boolean;
  /** Removes the last point. */
  undo(): void;
}
