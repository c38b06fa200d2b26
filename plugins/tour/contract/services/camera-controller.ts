import { token, type Point3 } from '#core';
import type { PanoramaView } from './panorama-engine.ts';

/** Position (site frame, metres) and view direction. */
export interface EyeView extends PanoramaView {
  readonly position: Point3;
}

/** `orbit` rotates around a target instead of turning the head. */
export type WalkMode = 'walk' | 'orbit';

/** What a camera controller needs from its renderer, and the events it emits. */
export interface WalkListener {
  /** The point of the site under a pixel of the host; undefined if there is none. */
  pointAt(x: number, y: number): Promise<Point3 | undefined>;
  /** Called after each manual step and when keys are pressed or released. Draw, and call `step` while `moving`. */
  changed(): void;
  /** The Home key. */
  home?(): void;
  /** A click that no tool has handled by preventing the default of its `pointerup`. `add`: with Ctrl or Command. */
  clicked?(x: number, y: number, add: boolean): void;
}

/**
 * Moves a camera through the site: by drag, by held keys, and in eased flights. Independent of rendering. Drag turns;
 * two fingers, the right button or Shift pan; pinch and wheel move towards the point under them. Keys: W A S D and
 * arrows walk and turn, Q E and page keys move vertically, R F tilt, plus and minus zoom, Shift is faster.
 */
export interface CameraController {
  /** Keeps its identity, and that of its `position`, while nothing moves. */
  readonly view: EyeView;
  mode: WalkMode;
  /** The centre of `orbit`. */
  target: Point3;
  /** Moves at once and ends a flight. If only the position changes, a running turn continues. */
  set(view: Partial<EyeView>): void;
  /** Moves with easing, or at once with reduced motion (`reduced`). @param now milliseconds */
  flyTo(view: Partial<EyeView>, now: number, reduced: boolean): void;
  /** True while a flight runs or keys are held, so that `step` must be called. */
  readonly moving: boolean;
  /** Advances to the time `now`, milliseconds. */
  step(now: number): void;
  /** Listens to pointers and keys of an element. Returns the function that stops it. */
  listen(host: HTMLElement, listener: WalkListener): () => void;
}

/** The level of detail: reduced during movement if the graphics card is slow, full at rest. */
export interface MovingDetail {
  /** Whether to draw less. */
  readonly coarse: boolean;
  /** Call it when a frame is requested: postpones the end of the movement. */
  frameRequested(): void;
  /** Call it after a frame was submitted to the graphics card: measures its duration. */
  drawn(card: WebGL2RenderingContext): void;
  end(): void;
}

/** Creates camera controllers, with the same gestures and keys in all modules with free movement. */
export const CameraControllers = token<CameraControllers>('tour.CameraControllers');
export interface CameraControllers {
  from(view: EyeView): CameraController;
  /** @param rested requests a frame with full detail */
  detail(rested: () => void): MovingDetail;
}
