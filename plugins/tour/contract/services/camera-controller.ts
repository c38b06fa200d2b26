import { token, type Point3 } from '#core';
import type { PanoramaView } from './panorama-engine.ts';

/** Where somebody stands (site frame, metres) and looks. */
export interface EyeView extends PanoramaView {
  readonly position: Point3;
}

/** `orbit` goes round a target instead of turning the head. */
export type WalkMode = 'walk' | 'orbit';

/** What a walk asks of, and tells, whoever draws it. */
export interface WalkListener {
  /** The point of the site under a pixel of the host; undefined where there is none. */
  pointAt(x: number, y: number): Promise<Point3 | undefined>;
  /** After each step by hand, and when keys begin or end to be held: draw, and go on with `step` while `moving`. */
  changed(): void;
  /** The Home key. */
  home?(): void;
  /**
   * A press that was no drag, and that nobody else took by preventing the default of its `pointerup`. `add`: with Ctrl
   * or Command.
   */
  clicked?(x: number, y: number, add: boolean): void;
}

/**
 * Moves an eye through the site: by hand, steadily while keys are held, and in eased flights. Knows nothing of
 * pictures. Drag turns; two fingers, the right button or Shift slide; pinch and wheel go towards what is under them.
 * Held keys: W A S D and the arrows walk and turn, Q E and the page keys go down and up, R F look up and down, plus and
 * minus zoom; Shift is faster.
 */
export interface CameraController {
  /** The same object, and the same `position` in it, for as long as nothing moves. */
  readonly view: EyeView;
  mode: WalkMode;
  /** What `orbit` goes round. */
  target: Point3;
  /** At once; ends a flight. A turn goes on where only the place is another. */
  set(view: Partial<EyeView>): void;
  /** Eased; at once where motion is not wanted (`reduced`). @param now milliseconds */
  flyTo(view: Partial<EyeView>, now: number, reduced: boolean): void;
  /** A flight, or keys that are held: `step` has something to do. */
  readonly moving: boolean;
  /** To the time `now`, milliseconds. */
  step(now: number): void;
  /** Lets pointers and keys on an element move the eye. Returns the way out. */
  listen(host: HTMLElement, listener: WalkListener): () => void;
}

/** How much is drawn: where the graphics card is slow with it less while one moves, and all at rest. */
export interface MovingDetail {
  /** Draw less. */
  readonly coarse: boolean;
  /** A frame is asked for: one does not rest. */
  asked(): void;
  /** A frame was handed to the graphics card: looks how long that takes. */
  drawn(card: WebGL2RenderingContext): void;
  end(): void;
}

/** Makes walks: the same gestures and keys in all modules that move freely. */
export const CameraControllers = token<CameraControllers>('tour.CameraControllers');
export interface CameraControllers {
  from(view: EyeView): CameraController;
  /** @param rested asks for a frame with everything */
  detail(rested: () => void): MovingDetail;
}
