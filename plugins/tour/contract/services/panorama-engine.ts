import { token, type Point3 } from '#core';
import type { PanoramaTiles, RangeTiles } from '../api.ts';
import type { ViewSurface } from './view-surface.ts';

/**
 * Where one looks, in degrees: pan clockwise from north in [0, 360), tilt up in [-90, 90], vertical field of view in
 * [15, 100].
 */
export interface PanoramaView {
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

/** A panorama in the site frame; the projection is that of `demo.ts`. */
export interface PanoramaPicture {
  readonly tiles: PanoramaTiles;
  /** Where the picture's centre looks, degrees clockwise from north. */
  readonly heading: number;
  /** The camera, metres. */
  readonly position: Point3;
  /** Ranges in the picture's projection, from which a pixel has a place in space. */
  readonly ranges?: RangeTiles;
  /**
   * Reads a file of the pyramid or of the ranges by its path, such as `preview.jpg`, `1/3_0.jpg` or `range/0_0.webp`.
   * Absent: it is fetched from `tiles.address` or `ranges.address`.
   */
  readonly read?: (path: string) => Promise<Blob>;
}

/**
 * `walk` moves the eye through the scene by the range meshes of both pictures; where one has none it is a fade. With
 * reduced motion both are a short fade.
 */
export type PanoramaTransition = 'none' | 'fade' | 'walk';

/** A button that stands at a direction. It is hidden while out of view and reached by Tab from left to right. */
export interface PanoramaPin {
  /** Unique among the pins. A pin that stays keeps its element, and with it the focus. */
  readonly id: string;
  readonly pan: number;
  readonly tilt: number;
  /** Accessible name. */
  readonly label: string;
  readonly className: string;
  /** Fills the button once, when it is made. */
  readonly render: (button: HTMLButtonElement) => void;
  readonly onActivate: () => void;
  /** The pointer came to rest above it, or left. */
  readonly onHover?: (inside: boolean) => void;
}

/**
 * An outline on the picture, drawn over it and beneath the pins. It stays where it is in the scene however one looks.
 */
export interface PanoramaShape {
  /** Unique among the shapes. A shape that stays keeps its element, and with it the focus. */
  readonly id: string;
  /** Directions from the eye, of any length: right-handed, x east, y north, z up. */
  readonly corners: readonly Point3[];
  /** Whether the last corner is joined to the first and what lies between is filled. */
  readonly closed: boolean;
  /** Accessible name. */
  readonly label: string;
  /** Written on the shape where it has room; empty: nothing. */
  readonly name: string;
  /**
   * Of the group that holds a path, the same path once more above it (the first for a dark edge, the second for the
   * shape), and the text.
   */
  readonly className: string;
  /** Absent: it is only drawn, and presses go through it. */
  readonly onActivate?: () => void;
}

/** How the picture is corrected while it is drawn, each from -1 to 1; 0 leaves it as it was taken. */
export interface PictureCorrection {
  /**
   * Lifts or lowers what lies between black and white, which stay: a tone of v in [0, 1] becomes v ** 2 ** -brightness.
   */
  readonly brightness: number;
  /** Parts or draws together, about middle grey, by a factor of 2 ** contrast; after the brightness. */
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
  /** After each frame in which the view differs. */
  viewChanged: PanoramaView;
  /** It fills more or less of the page than before, so that directions stand at other pixels. */
  resized: undefined;
  /** The picture is on screen, at least as a preview. */
  shown: { readonly id: string };
  /** Every visible tile of the fitting level is on screen. */
  sharp: { readonly id: string };
  /** The preview could not be read. */
  failed: { readonly id: string; readonly reason: string };
  /**
   * True: tiles in view were tried several times and given up, so that the picture is coarse there. False: none is
   * missing any more.
   */
  tilesMissing: boolean;
  contextLost: undefined;
  contextRestored: undefined;
}

export interface PanoramaStatistics {
  readonly renderer: string;
  readonly maximumTextureSize: number;
  /** Since the engine was made. */
  readonly frames: number;
  /** Of the last frame. */
  readonly drawCalls: number;
  readonly tilesOnScreen: number;
  readonly tilesHeld: number;
  /** Bytes of textures on the graphics card. */
  readonly textureBytes: number;
  readonly levelWidth: number;
}

/** The panoramas of the page: as many as are on screen at once, for a browser gives only a few WebGL contexts. */
export const PanoramaEngines = token<PanoramaEngines>('tour.PanoramaEngines');
export interface PanoramaEngines {
  /**
   * The engine that `part` (a module's id) shows its picture with. Where it has none it is given one that nobody shows
   * now, with context and tiles, or a new one: to be asked for when a picture is to be shown, not before.
   */
  of(part: string): PanoramaEngine;
  /** What floats over the pictures: a pin that would lie partly under it is hidden instead. Pixels of the window. */
  keepClear(areas: readonly PanoramaArea[]): void;
  /** For all pictures of the page. */
  correct(correction: PictureCorrection): void;
}

/** One panorama: one canvas and one WebGL context, kept when it is detached. */
export interface PanoramaEngine {
  readonly attached: boolean;
  /** The graphics card was taken away and has not come back. */
  readonly lost: boolean;
  /**
   * Puts canvas and pins into `host`, which it fills. Returns the way out: pins, fetches and input end, the context
   * stays. Throws `WebGlUnavailable`. `first` is what will be shown first: its preview is fetched while the graphics
   * start, which takes some hundred milliseconds.
   */
  attach(host: HTMLElement, options: { readonly label: string; readonly first?: PanoramaPicture }): () => void;
  readonly view: PanoramaView;
  /** At once; what is left out stays. */
  setView(view: Partial<PanoramaView>): void;
  /** The short way round, eased. Resolves early where the person takes over. */
  turnTo(view: Partial<PanoramaView>, milliseconds?: number): Promise<void>;
  /**
   * Resolves when the picture is on screen; false where another picture was asked for meanwhile or the preview could
   * not be read. While the context is lost it waits for it.
   */
  show(
    picture: PanoramaPicture,
    options?: { readonly transition?: PanoramaTransition; readonly view?: Partial<PanoramaView> },
  ): Promise<boolean>;
  /** Tries again the tiles that were given up. */
  retryTiles(): void;
  /**
   * Fetches previews (and meshes) at once and, when idle, the first tiles in the present direction. Replaces what was
   * asked for before.
   */
  preload(pictures: readonly PanoramaPicture[]): void;
  /** Of two pins that would cover each other the one that comes first in the list is shown; a zoom parts them. */
  setPins(pins: readonly PanoramaPin[]): void;
  /** The first lies lowest. */
  setShapes(shapes: readonly PanoramaShape[]): void;
  /**
   * Lays another picture over the left part of the one that is shown, `share` (0 to 1) of its width, by the same view:
   * for two pictures from one place. Undefined ends it; the same picture again moves the border. Not drawn during a
   * transition. Resolves when it can be drawn; false where it could not be read (`failed` says why) or was replaced
   * meanwhile.
   */
  compare(picture: PanoramaPicture | undefined, share?: number): Promise<boolean>;
  /** As `PanoramaEngines.keepClear`, for this picture alone. */
  keepClear(areas: readonly PanoramaArea[]): void;
  /** As `PanoramaEngines.correct`, for this picture alone. */
  correct(correction: PictureCorrection): void;
  /**
   * What is shown, as tools that work in space see it; `module` is the id of the module that shows it. While a picture
   * without ranges is shown nothing can be picked.
   */
  surface(module: string): ViewSurface;
  /**
   * What is on screen, without pins: a PNG in the canvas's pixels. Fails where nothing is attached or the context is
   * lost.
   */
  picture(): Promise<Blob>;
  /** Pixels from the host's left top corner; undefined where it lies behind. */
  toPixel(pan: number, tilt: number): { readonly x: number; readonly y: number } | undefined;
  directionAt(x: number, y: number): { readonly pan: number; readonly tilt: number };
  on<K extends keyof PanoramaEvents>(event: K, listener: (value: PanoramaEvents[K]) => void): () => void;
  /**
   * Looks where the device points. Must be called from a click: iOS asks. False where the device has none or the person
   * refused.
   */
  followDevice(on: boolean): Promise<boolean>;
  readonly followsDevice: boolean;
  readonly statistics: PanoramaStatistics;
}

/** The browser gives no WebGL 2 context: switched off, or no graphics driver. */
export class WebGlUnavailable extends Error {
  override readonly name = 'WebGlUnavailable';

  constructor() {
    super('This browser gives no WebGL 2. Is hardware acceleration switched off in its settings?');
  }
}
