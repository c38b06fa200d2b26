import { token, type Point3 } from '#core';
import type { PanoramaView } from './panorama-engine.ts';

/** Position (site frame, metres) and view direction. */
export interface CameraView extends PanoramaView {
  readonly position: Point3;
}

/** `orbit` rotates around a target instead of turning the head. */
export type CameraMode = 'walk' | 'orbit';

/** The picks that a camera controller requests from its renderer, and the events that it emits. */
export interface CameraListener {
  /** Picks the point of the site under a pixel of the host. Undefined if there is none. */
  pointAt(x: number, y: number): Promise<Point3 | undefined>;
  /** Called after each manual step and when keys change. The renderer draws, and calls `step` while `moving`. */
  onChange(): void;
  /** Called when the Home key is pressed. */
  onHome?(): void;
  /** Called for a click unless a tool prevented the default of `pointerup`. `add` is true with Ctrl or Command. */
  onClick?(x: number, y: number, add: boolean): void;
}

/**
 * Moves a camera through the site by drags, held keys and eased flights. Independent of rendering. A drag turns. Two
 * fingers, the right button or Shift pan. Pinch and wheel move towards the point under them. The keys W A S D and the
 * arrows walk and turn, Q E and page keys move vertically, R F tilt, plus and minus zoom, Shift is faster.
 */
export interface CameraController {
  /** The same object, with the same `position` object, until the camera moves. */
  readonly view: CameraView;
  mode: CameraMode;
  /** The centre of `orbit`. */
  target: Point3;
  /** Moves at once and ends a flight. If only the position changes, a running turn continues. */
  set(view: Partial<CameraView>): void;
  /** Moves with easing, or at once with reduced motion (`reduced`). @param now milliseconds */
  flyTo(view: Partial<CameraView>, now: number, reduced: boolean): void;
  /** True while a flight runs or keys are held, so that `step` must be called. */
  readonly moving: boolean;
  /** Advances to the time `now`, milliseconds. */
  step(now: number): void;
  /** Listens to pointers and keys of an element. Returns the function that stops it. */
  listen(host: HTMLElement, listener: CameraListener): () => void;
}

/** The level of detail. It is reduced during movement if the graphics card is slow, and full at rest. */
export interface MovingDetail {
  /** True while the renderer should draw fewer details. */
  readonly coarse: boolean;
  /** Postpones the end of the movement. Call it when a frame is requested. */
  onFrameRequested(): void;
  /** Measures the duration of a frame. Call it after the frame was submitted to the graphics card. */
  onFrameDrawn(gl: WebGL2RenderingContext): void;
  /** Ends the movement. */
  end(): void;
}

/** Creates camera controllers, with the same gestures and keys in all modules with free movement. */
export const CameraControllers = token<CameraControllers>('tour.CameraControllers');
export interface CameraControllers {
  create(view: CameraView): CameraController;
  /** @param onRest requests a frame with full detail */
  createDetail(onRest: () => void): MovingDetail;
}
