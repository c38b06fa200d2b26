import type { StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';

export interface PickOptions {
  /** Whether the key that disables snapping is pressed. */
  readonly snapDisabled: boolean;
}

/** A tool that handles clicks on a surface. Positions are in pixels from the host's top left corner. */
export interface SurfaceTool {
  /** The kind of the active tool. Undefined if the tool is inactive. */
  readonly kind: string | undefined;
  /** The points so far. */
  readonly points: readonly StoredPoint[];
  addPointAtPixel(surface: ViewSurface, x: number, y: number, options?: PickOptions): Promise<void>;
  hoverAtPixel(surface: ViewSurface, x: number, y: number, options?: PickOptions): Promise<void>;
  clearHover(): void;
  /** Completes a measurement that has no fixed number of points. */
  complete(): void;
  /** Removes the points, or ends the tool if there are no points. Returns whether a tool was active. */
  cancel(): boolean;
  /** Removes the last point. */
  undo(): void;
}
