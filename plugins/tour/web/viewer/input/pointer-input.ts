import { radians } from '#core';
import { zoomAbout } from '../math/zoom-about.ts';
import type { ViewMotion } from '../view-motion.ts';

/** What input needs of the engine. */
export interface InputTarget {
  readonly motion: ViewMotion;
  readonly width: number;
  readonly height: number;
  /** The motion was changed: draw. */
  readonly changed: () => void;
  readonly reducedMotion: () => boolean;
}

interface Finger {
  x: number;
  y: number;
}

/** Pixels that a press may wander and still be a click. */
const clickReach = 4;
/** Milliseconds over which the speed of a throw is measured. */
const throwWindow = 80;

/** Drag with a glide after it, pinch, and wheel about the cursor. Returns the way out. */
export function listenToPointers(host: HTMLElement, target: InputTarget): () => void {
  const fingers = new Map<number, Finger>();
  let trail: { readonly time: number; readonly pan: number; readonly tilt: number }[] = [];
  let start: Finger | undefined;
  let dragging = false;

  const place = (event: PointerEvent | WheelEvent): Finger => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = (): number => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };

  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const finger = place(event);
    fingers.set(event.pointerId, finger);
    start = finger;
    dragging = fingers.size > 1;
    trail = [];
    target.motion.stop();
  };

  const onMove = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (!dragging) {
      if (start && Math.hypot(now.x - start.x, now.y - start.y) < clickReach) return;
      dragging = true;
    }
    if (!host.hasPointerCapture(event.pointerId)) host.setPointerCapture(event.pointerId);
    const spreadBefore = spread();
    fingers.set(event.pointerId, now);
    const { view } = target.motion;
    const perPixel = degreesPerPixel(view.fov, target.height);
    const share = 1 / fingers.size;
    const pan = (-(now.x - before.x) * perPixel * share) / Math.max(0.3, Math.cos(radians(view.tilt)));
    const tilt = (now.y - before.y) * perPixel * share;
    target.motion.set({ pan: view.pan + pan, tilt: view.tilt + tilt });
    trail.push({ time: event.timeStamp, pan, tilt });
    if (fingers.size === 2 && spreadBefore > 0 && spread() > 0) {
      const [a, b] = [...fingers.values()] as [Finger, Finger];
      target.motion.set(
        zoomAbout(
          target.motion.view,
          (target.motion.view.fov * spreadBefore) / spread(),
          target.width,
          target.height,
          (a.x + b.x) / 2,
          (a.y + b.y) / 2,
        ),
      );
    }
    target.changed();
  };

  const onUp = (event: PointerEvent): void => {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size > 0) {
      trail = [];
      return;
    }
    const recent = trail.filter((step) => event.timeStamp - step.time < throwWindow);
    if (dragging && event.type === 'pointerup' && recent.length > 1 && !target.reducedMotion()) {
      const seconds = throwWindow / 1000;
      const sum = (axis: 'pan' | 'tilt'): number => recent.reduce((total, step) => total + step[axis], 0);
      target.motion.throwBy(sum('pan') / seconds, sum('tilt') / seconds);
    }
    dragging = false;
    target.changed();
  };

  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { x, y } = place(event);
    const lines =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    const factor = Math.exp(Math.max(-300, Math.min(300, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.0015));
    target.motion.stop();
    target.motion.set(
      zoomAbout(target.motion.view, target.motion.view.fov * factor, target.width, target.height, x, y),
    );
    target.changed();
  };

  const ends = new AbortController();
  const { signal } = ends;
  host.addEventListener('pointerdown', onDown, { signal });
  host.addEventListener('pointermove', onMove, { signal });
  host.addEventListener('pointerup', onUp, { signal });
  host.addEventListener('pointercancel', onUp, { signal });
  host.addEventListener('wheel', onWheel, { signal, passive: false });
  return () => ends.abort();
}

/** At the centre of the view. */
function degreesPerPixel(fov: number, height: number): number {
  return (Math.atan((2 * Math.tan(radians(fov) / 2)) / height) * 180) / Math.PI;
}
