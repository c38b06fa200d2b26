import type { Point3 } from '#core';
import type { EyeView, SurfaceMesh, SurfacePick, WalkMode } from '#plugins/tour';
import type { Box, ModelContent, TilesState } from './model-content.ts';

/** What is cut away: all beyond `offset` metres along the axis, or (`flipped`) all before it. Site frame. */
export interface Section {
  readonly axis: 'x' | 'y' | 'z';
  readonly offset: number;
  readonly flipped: boolean;
}

/** What is drawn how. Ids of objects. */
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
  /** The person moved or turned. */
  moved: EyeView;
  /** A frame is on screen. */
  frame: undefined;
  /** A click that was no drag; undefined: nothing was under it. */
  clicked: { readonly object: number | undefined; readonly add: boolean };
  /** Tiles came, went or failed. */
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

/** The built-in viewer of models: one canvas and one WebGL context. */
export interface ModelEngine {
  /** Puts the canvas into `host`, which it fills, and listens there. Returns the way out; the model stays loaded. */
  attach(host: HTMLElement, options: { readonly label: string }): () => void;
  /** The graphics card was taken away and has not come back. */
  readonly lost: boolean;
  /** Replaces what was shown. */
  show(content: ModelContent): void;
  readonly state: EyeView;
  /** At once, told to nobody. */
  setState(state: Partial<EyeView>): void;
  /** An eased flight, told as it goes. */
  flyTo(state: Partial<EyeView>): void;
  setMode(mode: WalkMode): void;
  setAppearance(appearance: Appearance3d): void;
  setDark(dark: boolean): void;
  /** Flies to where the objects are seen whole; without objects: all that is shown. */
  fit(objects?: readonly number[]): void;
  computeBounds(objects?: readonly number[]): Box | undefined;
  pick(x: number, y: number): ModelHit | undefined;
  patch(pick: SurfacePick, radius: number): Float64Array;
  mesh(pick: SurfacePick, radius: number): SurfaceMesh | undefined;
  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined;
  sees(point: Point3): boolean;
  picture(): Promise<Blob>;
  on<K extends keyof ModelEngineEvents>(event: K, listener: (value: ModelEngineEvents[K]) => void): () => void;
  /** Of all that is shown; undefined where nothing comes in tiles. */
  readonly tiles: TilesState | undefined;
  /** Fetches tiles once more that failed. */
  retryTiles(): void;
  readonly statistics: ModelStatistics;
  /** Frees everything, the context too. */
  dispose(): void;
}
