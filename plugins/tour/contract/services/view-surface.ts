import { token, type Point3 } from '#core';

/** Source of a picked point. */
export type PickSource = 'RANGE_IMAGE' | 'POINT_CLOUD' | 'MODEL';

/** A picked point of the site. */
export interface SurfacePick {
  /** Site frame, metres. */
  readonly point: Point3;
  /** Unit vector out of the surface, towards the eye. Undefined if unknown. */
  readonly normal: Point3 | undefined;
  readonly source: PickSource;
  /** One standard deviation of the point along the line of sight, metres. Undefined if unknown. */
  readonly sigma: number | undefined;
  /** True if the pixel is next to an edge, so that the point may belong to the background. */
  readonly edge: boolean;
  /**
   * One standard deviation of the picture's direction relative to the source, CSS pixels. Undefined if the source is
   * the picture itself.
   */
  readonly directionSigmaPx?: number;
  /** Tag of the hit object, if the module knows objects. */
  readonly tag?: string;
}

/** Triangles of a model around a pick, in the site frame, metres. */
export interface SurfaceMesh {
  /** Corners of the triangles, x y z each, so nine numbers per triangle. */
  readonly corners: Float64Array;
  /** Index of the hit triangle. */
  readonly hit: number;
}

/** A line of sight in the site frame, metres. */
export interface SightRay {
  readonly origin: Point3;
  /** Unit vector. */
  readonly direction: Point3;
  /** Angle that a CSS pixel of the picture covers, radians. */
  readonly pixelRadians: number;
}

/** The surfaces of the site around an eye, from a point cloud or a model. All lengths are in metres. */
export interface SiteDepth {
  /** Picks the first surface on a ray. Undefined if nothing was hit. Rejects if a part could not be loaded. */
  pick(ray: SightRay): Promise<SurfacePick | undefined>;
  /** See `ViewSurface.findSurfacePoints`. */
  findSurfacePoints(pick: SurfacePick, radius: number): Promise<Float64Array>;
  /** See `ViewSurface.mesh`. */
  mesh?(pick: SurfacePick, radius: number): Promise<SurfaceMesh | undefined>;
}

/** Provides depth for pictures without ranges, even while the module of the source is not on screen. */
export interface DepthSource {
  /**
   * Loads the depth around an eye position. Undefined if there is none. Rejects if loading fails. The result is used
   * until the next call.
   */
  open(location: string, eye: Point3): Promise<SiteDepth | undefined>;
  /** Releases everything when the tour is closed. */
  close(): void;
}

/**
 * The picture of a module, for tools that work in space, such as measuring and annotating. Pixels are CSS pixels from
 * the host's top left corner.
 */
export interface ViewSurface {
  /** Id of the tour module, such as `scan.module`. */
  readonly module: string;
  /**
   * The element that the picture fills. Overlays are placed over it. When focused, it handles the keys that move the
   * view.
   */
  readonly host: HTMLElement;
  /**
   * True if the module itself moves the tag of `TourStore.approachedTag` into the free area as long as it is the only
   * module on screen. If absent, the tour turns the view.
   */
  readonly fitsApproachedTag?: true;
  /** Resolves when points of the visible picture can be picked. If absent, they always can. */
  ready?(): Promise<void>;
  /** True during a transition between pictures, while pixels have no points. If absent, there are no transitions. */
  isMoving?(): boolean;
  /**
   * True if the picture has depth, so that pixels have points. May become false after a pick, because a pick searches
   * depth for a picture without ranges. Observable if it changes otherwise. If absent, the picture always has depth.
   */
  hasDepth?(): boolean;
  /** Picks the point under a pixel. Undefined if nothing was hit. */
  pick(x: number, y: number): Promise<SurfacePick | undefined>;
  /** Finds points of the connected surface around a pick, x y z each, site frame. All lengths are in metres. */
  findSurfacePoints(pick: SurfacePick, radius: number): Promise<Float64Array>;
  /**
   * All triangles of the hit object within `radius` metres of the pick. Undefined if the object does not exist any
   * more. Pictures without triangles have no such method.
   */
  mesh?(pick: SurfacePick, radius: number): Promise<SurfaceMesh | undefined>;
  /** Converts a point of the site to a pixel. Undefined behind the eye. */
  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined;
  /** True unless the point is known to be occluded. */
  sees(point: Point3): boolean;
  /**
   * Calls `listener` after each frame in which `toPixel` or `sees` may have changed. Returns the function that stops
   * it.
   */
  onChanged(listener: () => void): () => void;
  /** True if `PanoramaEngines.correct` applies to the picture. */
  readonly isCorrectable?: true;
  /** Takes the current frame without overlays, as a PNG in the canvas's pixels. */
  takePicture(): Promise<Blob>;
}

/** The surfaces on screen, two of them in a split view. Observable. */
export const ViewSurfaces = token<ViewSurfaces>('tour.ViewSurfaces');
export interface ViewSurfaces {
  readonly all: readonly ViewSurface[];
  /** Registers the surface of a visible module. Returns the function that removes it. */
  register(surface: ViewSurface): () => void;
}
