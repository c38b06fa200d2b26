import type { Point3 } from '#core';
import type { CameraView, PanoramaArea, SightRay, SurfaceMesh, SurfacePick, CameraMode } from '#plugins/tour';
import type { Box, ModelContent, TilesState } from './model-content.ts';

/** Hides everything beyond `offset` metres along an axis of the site frame, or before it if `flipped`. */
export interface Section {
  readonly axis: 'x' | 'y' | 'z';
  readonly offset: number;
  readonly flipped: boolean;
}

/** The appearance of the objects. Numbers are object ids. */
export interface Appearance3d {
  readonly selected: readonly number[];
  readonly hidden: ReadonlySet<number>;
  readonly xray: boolean;
  readonly section: Section | undefined;
}

export interface ModelHit extends SurfacePick {
  readonly object: number;
}

export interface ModelEngineEvents {
  /** A person moved or turned the camera. */
  moved: CameraView;
  /** A frame was drawn. */
  frame: undefined;
  /** A person clicked without a drag. The object is undefined if the click hit nothing. */
  clicked: { readonly object: number | undefined; readonly add: boolean };
  /** Tiles were loaded, removed or failed. */
  tiles: TilesState;
  contextLost: undefined;
  contextRestored: undefined;
}

export interface ModelStatistics {
  readonly renderer: string;
  readonly frames: number;
  readonly drawCalls: number;
  readonly triangles: number;
  readonly objects: number;
  readonly geometries: number;
  readonly textures: number;
}

export interface AttachOptions {
  /** Accessible name of the host. */
  readonly label: string;
  /** The part of the host that nothing covers, for `fit`. The whole host if absent. */
  readonly getFreeArea?: () => PanoramaArea;
}

/** The built-in model viewer, which has one canvas and one WebGL context. */
export interface ModelEngine {
  /**
   * Adds the canvas to `host`, which it fills, and listens for input. Returns the function that removes the canvas, but
   * not the model.
   */
  attach(host: HTMLElement, options: AttachOptions): () => void;
  /** Whether the WebGL context is lost. */
  readonly lost: boolean;
  /** Replaces the content. */
  show(content: ModelContent): void;
  readonly view: CameraView;
  /** Moves the camera immediately, without an event. */
  setView(view: Partial<CameraView>): void;
  /** Moves the camera in an eased flight, with an event for each frame. */
  flyTo(view: Partial<CameraView>): void;
  setMode(mode: CameraMode): void;
  setAppearance(appearance: Appearance3d): void;
  setDark(dark: boolean): void;
  /** Flies to a view of some objects, of a box, or of all visible objects, in the free area. */
  fit(target?: readonly number[] | Box): void;
  computeBounds(objects?: readonly number[]): Box | undefined;
  pick(x: number, y: number): ModelHit | undefined;
  /** Picks on a ray that need not start at the camera, even while the engine is detached. Ignores the appearance. */
  pickAlong(ray: SightRay): ModelHit | undefined;
  findSurfacePoints(pick: SurfacePick, radius: number): Float64Array;
  mesh(pick: SurfacePick, radius: number): SurfaceMesh | undefined;
  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined;
  sees(point: Point3): boolean;
  takePicture(): Promise<Blob>;
  on<K extends keyof ModelEngineEvents>(event: K, listener: (value: ModelEngineEvents[K]) => void): () => void;
  /** State of all tiled models, if there are any. */
  readonly tiles: TilesState | undefined;
  /** Retries failed tiles. */
  retryTiles(): void;
  readonly statistics: ModelStatistics;
  /** Frees all memory and the WebGL context. */
  dispose(): void;
}
