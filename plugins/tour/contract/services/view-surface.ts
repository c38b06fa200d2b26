import { token, type Point3 } from '#core';

/** Source of a picked point. */
export type PickSource = 'RANGE_IMAGE' | 'POINT_CLOUD' | 'MODEL';

/** A picked point of the site. */
export interface SurfacePick {
  /** Site frame, metres. */
  readonly point: Point3;
  /** Unit vector out of the surface, towards the eye; undefined if unknown. */
  readonly normal: Point3 | undefined;
  readonly source: PickSource;
  /** One standard deviation of the point along the line of sight, metres; undefined if unknown. */
  readonly sigma: number | undefined;
  /** The pixel is next to an edge: the point may belong to the background. */
  readonly edge: boolean;
  /** Tag of the hit object, if the module knows objects. */
  readonly tag?: string;
}

/** Triangles of a model around a pick; site frame, metres. */
export interface SurfaceMesh {
  /** Corners of the triangles, x y z each: nine numbers per triangle. */
  readonly corners: Float64Array;
  /** Index of the hit triangle. */
  readonly hit: number;
}

/**
 * The picture of a module, for tools that work in space: measuring, annotating, snapshots. Pixels are CSS pixels from
 * the host's top left corner.
 */
export interface ViewSurface {
  /** Id of the tour module, such as `scan.module`. */
  readonly module: string;
  /** The element that the picture fills. Overlays are placed over it. */
  readonly host: HTMLElement;
  /** Resolves when the visible picture can be picked. Absent: always. */
  ready?(): Promise<void>;
  /** Whether the picture has depth, so that pixels have points; observable if it changes. Absent: always. */
  hasDepth?(): boolean;
  /** Undefined if nothing was hit. */
  pick(x: number, y: number): Promise<SurfacePick | undefined>;
  /** Points of the connected surface around a pick, x y z each, site frame, metres; for fits. `radius` in metres. */
  patch(pick: SurfacePick, radius: number): Promise<Float64Array>;
  /**
   * All triangles of the hit object within `radius` metres of the pick. Undefined if the object no longer exists.
   * Absent: the picture has no triangles.
   */
  mesh?(pick: SurfacePick, radius: number): Promise<SurfaceMesh | undefined>;
  /** Undefined behind the eye. */
  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined;
  /** Whether the point is not occluded, as far as is known. */
  sees(point: Point3): boolean;
  /** Called after each frame in which `toPixel` or `sees` may have changed. Returns the function that stops it. */
  onChanged(listener: () => void): () => void;
  /** Whether the picture is corrected by `PanoramaEngines.correct`. */
  readonly corrected?: true;
  /** The current frame without overlays: a PNG in the canvas's pixels. */
  picture(): Promise<Blob>;
}

/** The surfaces on screen: none, one, or two in a split view. Observable. */
export const ViewSurfaces = token<ViewSurfaces>('tour.ViewSurfaces');
export interface ViewSurfaces {
  readonly all: readonly ViewSurface[];
  /** Registers the surface of a visible module. Returns the function that removes it. */
  offer(surface: ViewSurface): () => void;
}
