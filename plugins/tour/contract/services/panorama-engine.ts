import { token, type Point3 } from '#core';
import type { PanoramaTiles, RangeTiles } from '../api.ts';
import type { ViewSurface } from './view-surface.ts';

/**
 * A view direction in degrees: pan clockwise from north in [0, 360), tilt up in [-90, 90], vertical field of view in
 * [15, 100].
 */
export interface PanoramaView {
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

/** A panorama in the site frame. `demo.ts` defines the projection. */
export interface PanoramaPicture {
  readonly tiles: PanoramaTiles;
  /** Direction of the picture's centre, degrees clockwise from north. */
  readonly heading: number;
  /** Position of the camera, metres. */
  readonly position: Point3;
  /** Ranges in the picture's projection, by which pixels are converted to points. */
  readonly ranges?: RangeTiles;
  /**
   * Reads a file of the pyramid or of the ranges by its path, such as `preview.jpg`, `1/3_0.jpg` or `range/0_0.webp`.
   * Default: fetches it from `tiles.address` or `ranges.address`.
   */
  readonly read?: (path: string) => Promise<Blob>;
}

/**
 * `walk` moves the eye through the scene by the range meshes of both pictures, or fades if one has none. With reduced
 * motion, both are a short fade.
 */
export type PanoramaTransition = 'none' | 'fade' | 'walk';

/** A button at a direction. Hidden while out of view. Tab visits pins from left to right. */
export interface PanoramaPin {
  /** Unique among the pins. A pin that remains in the list keeps its element and focus. */
  readonly id: string;
  readonly pan: number;
  readonly tilt: number;
  /** Accessible name. */
  readonly label: string;
  readonly className: string;
  /** Fills the new button. Called once. */
  readonly render: (button: HTMLButtonElement) => void;
  readonly onActivate: () => void;
  /** Called when the pointer enters or leaves. */
  readonly onHover?: (inside: boolean) => void;
}

/** An outline over the picture and below the pins, fixed in the scene. */
export interface PanoramaShape {
  /** Unique among the shapes. A shape that remains in the list keeps its element and focus. */
  readonly id: string;
  /** Directions from the eye, of any length: right-handed, x east, y north, z up. */
  readonly corners: readonly Point3[];
  /** Connects the last corner to the first and fills the area. */
  readonly closed: boolean;
  /** Accessible name. */
  readonly label: string;
  /** Visible text, drawn if the shape is large enough. Empty for none. */
  readonly name: string;
  /** Class of the SVG group. It contains two equal paths (for a dark edge, then for the shape) and the text. */
  readonly className: string;
  /** If absent, pointer events pass through the shape. */
  readonly onActivate?: () => void;
}

/** Correction of the drawn picture, each value from -1 to 1. 0 is the original. */
export interface PictureCorrection {
  /** Raises or lowers mid-tones. Black and white are unchanged. A tone v in [0, 1] becomes v ** 2 ** -brightness. */
  readonly brightness: number;
  /** Scales tones around middle grey by a factor of 2 ** contrast, after the brightness. */
  readonly contrast: number;
}

/** A rectangle, in pixels. */
export interface PanoramaArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PanoramaEvents {
  /** After each frame with a changed view. */
  viewChanged: PanoramaView;
  /** After each frame of a transition from one picture to another. */
  transitionDrawn: undefined;
  /** The size of the picture on the page has changed, so that directions have other pixels. */
  resized: undefined;
  /** The picture is on screen, at least as a preview. */
  shown: { readonly id: string };
  /** Every visible tile of the required level is on screen. */
  sharp: { readonly id: string };
  /** The preview could not be read. */
  failed: { readonly id: string; readonly reason: string };
  /**
   * True if visible tiles failed after several attempts, so that the picture is coarse there. False when all are
   * loaded.
   */
  tilesMissing: boolean;
  /** The view starts or stops following the orientation of the device. A detach stops it. */
  followsDevice: boolean;
  contextLost: undefined;
  contextRestored: undefined;
}

export interface PanoramaStatistics {
  readonly renderer: string;
  readonly maximumTextureSize: number;
  /** Since the creation of the engine. */
  readonly frames: number;
  /** Of the last frame. */
  readonly drawCalls: number;
  readonly tilesOnScreen: number;
  readonly tilesHeld: number;
  /** Texture memory on the graphics card, bytes. */
  readonly textureBytes: number;
  readonly levelWidth: number;
}

/** The panorama engines of the page. Browsers limit WebGL contexts, so there are only as many as visible panoramas. */
export const PanoramaEngines = token<PanoramaEngines>('tour.PanoramaEngines');
export interface PanoramaEngines {
  /**
   * Returns the engine of a module (by its id). Reuses a detached engine with its context and tiles, or creates one.
   * Call it only when a picture is about to be shown.
   */
  getEngine(module: string): PanoramaEngine;
  /**
   * Sets the covered areas of the pictures, such as those under panels, in pixels of the window. Pins that would be
   * partly covered are hidden.
   */
  setCoveredAreas(areas: readonly PanoramaArea[]): void;
  /** Applies to all pictures of the page. */
  correct(correction: PictureCorrection): void;
}

/** One panorama with one canvas and one WebGL context, which survive a detach. */
export interface PanoramaEngine {
  readonly attached: boolean;
  /** True from the loss of the WebGL context until it is restored. */
  readonly lost: boolean;
  /**
   * Puts canvas and pins into `host`, which it fills. Returns the function that detaches: it removes pins and input,
   * aborts fetches, and keeps the context. The preview of the picture `first` is fetched while the
   * graphics start. If another module detached just before, its picture stays until `show`.
   *
   * @throws WebGlUnavailable
   */
  attach(host: HTMLElement, options: { readonly label: string; readonly first?: PanoramaPicture }): () => void;
  readonly view: PanoramaView;
  /** Sets the view at once. Omitted values are unchanged. */
  setView(view: Partial<PanoramaView>): void;
  /** Turns the short way, with easing. Resolves early if the person moves the view. */
  turnTo(view: Partial<PanoramaView>, milliseconds?: number): Promise<void>;
  /**
   * Resolves with true when the picture is on screen, with false if another picture was requested or the preview
   * failed. Waits while the context is lost.
   */
  show(
    picture: PanoramaPicture,
    options?: { readonly transition?: PanoramaTransition; readonly view?: Partial<PanoramaView> },
  ): Promise<boolean>;
  /** Retries the failed tiles. */
  retryTiles(): void;
  /**
   * Fetches previews and meshes at once and, when idle, the first tiles in the current direction. Replaces the previous
   * list.
   */
  preload(pictures: readonly PanoramaPicture[]): void;
  /** When pins overlap, the first in the list is shown. Zooming in separates them. */
  setPins(pins: readonly PanoramaPin[]): void;
  /** The first shape is at the bottom. */
  setShapes(shapes: readonly PanoramaShape[]): void;
  /**
   * Shows another picture of the same position over the left part (`fraction` of the width, 0 to 1). Undefined ends
   * the comparison. The same picture again moves the border. Not drawn during a transition. Resolves with true when it
   * can be drawn, with false if it failed (see the event `failed`) or was replaced.
   */
  compare(picture: PanoramaPicture | undefined, fraction?: number): Promise<boolean>;
  /** Like `PanoramaEngines.setCoveredAreas`, for this picture only. */
  setCoveredAreas(areas: readonly PanoramaArea[]): void;
  /** Like `PanoramaEngines.correct`, for this picture only. */
  correct(correction: PictureCorrection): void;
  /**
   * Creates the surface of the current picture, for picks. `module` is the id of the module that shows it. Without
   * ranges, nothing can be picked.
   */
  surface(module: string): ViewSurface;
  /**
   * Takes the current frame without pins, as a PNG in the canvas's pixels. Rejects while the engine is detached or the
   * context is lost.
   */
  takePicture(): Promise<Blob>;
  /** Converts a direction to pixels from the host's top left corner. Undefined behind the camera. */
  toPixel(pan: number, tilt: number): { readonly x: number; readonly y: number } | undefined;
  directionAt(x: number, y: number): { readonly pan: number; readonly tilt: number };
  on<K extends keyof PanoramaEvents>(event: K, listener: (value: PanoramaEvents[K]) => void): () => void;
  /**
   * Follows the orientation of the device. Call it from a click, because iOS asks for permission. False without a
   * sensor or permission.
   */
  followDevice(on: boolean): Promise<boolean>;
  readonly followsDevice: boolean;
  readonly statistics: PanoramaStatistics;
}

/** The browser provides no WebGL 2 context, because it is disabled or there is no graphics driver. */
export class WebGlUnavailable extends Error {
  override readonly name = 'WebGlUnavailable';

  constructor() {
    super('This browser provides no WebGL 2. Is hardware acceleration switched off in its settings?');
  }
}
