import { token, type Point3 } from '#core';

/** How a picked point was found. */
export type PickSource = 'RANGE_IMAGE' | 'POINT_CLOUD' | 'MODEL';

/** A point of the site under the pointer. */
export interface SurfacePick {
  /** Site frame, metres. */
  readonly point: Point3;
  /** Unit vector out of the surface, towards the eye; undefined where it is not known. */
  readonly normal: Point3 | undefined;
  readonly source: PickSource;
  /** One standard deviation of the point along the line of sight, metres; undefined where nobody knows. */
  readonly sigma: number | undefined;
  /** The surface breaks off beside the pixel: the point may belong to what lies behind. */
  readonly edge: boolean;
  /** The tag of the object that was hit, where the module knows objects. */
  readonly tag?: string;
}

/** Triangles of a model around a pick; site frame, metres. */
export interface SurfaceMesh {
  /** The three corners of each triangle, x y z one after the other: nine numbers a triangle. */
  readonly corners: Float64Array;
  /** Index of the triangle that was hit. */
  readonly hit: number;
}

/**
 * What a module shows, for tools that work in space: measuring, annotating, snapshots. Pixels are those of the page,
 * from the host's left top corner.
 */
export interface ViewSurface {
  /** Id of the tour module, such as `scan.module`. */
  readonly module: string;
  /** The element that the picture fills; overlays are laid over it. */
  readonly host: HTMLElement;
  /**
   * Resolves when what is on screen is there to be picked: at once where it is, and later while it is still being
   * fetched. Absent: it always is.
   */
  ready?(): Promise<void>;
  /**
   * Whether what it shows has depth, so that a pixel is a place of the site; observable where that changes. Absent: it
   * always has.
   */
  hasDepth?(): boolean;
  /** Undefined where nothing was hit. */
  pick(x: number, y: number): Promise<SurfacePick | undefined>;
  /**
   * Points of the connected surface around a pick, x y z one after the other, site frame, metres; for fits. `radius` in
   * metres.
   */
  patch(pick: SurfacePick, radius: number): Promise<Float64Array>;
  /**
   * All triangles of the object that was hit that come within `radius` metres of the pick. Undefined where the object
   * is no longer there. Absent: what is shown is not made of triangles.
   */
  mesh?(pick: SurfacePick, radius: number): Promise<SurfaceMesh | undefined>;
  /** Undefined where it lies behind the eye. */
  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined;
  /** Whether nothing known stands before the point. */
  sees(point: Point3): boolean;
  /** After each frame in which `toPixel` or `sees` may answer differently. Returns the way out. */
  onChanged(listener: () => void): () => void;
  /** Whether what it shows is drawn as `PanoramaEngines.correct` says. */
  readonly corrected?: true;
  /** What is on screen, without overlays: a PNG in the canvas's pixels. */
  picture(): Promise<Blob>;
}

/** The surfaces on screen: none, one, or two in split view. Observable. */
export const ViewSurfaces = token<ViewSurfaces>('tour.ViewSurfaces');
export interface ViewSurfaces {
  readonly all: readonly ViewSurface[];
  /** Called by a module while it is on screen; returns the way out. */
  offer(surface: ViewSurface): () => void;
}
