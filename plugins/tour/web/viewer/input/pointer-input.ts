import { radians } from '#core';
import { listenToGestures, type Finger } from './pointer-gestures.ts';
import { zoomAbout } from '../math/zoom-about.ts';
import type { ViewMotion } from '../view-motion.ts';

/** What input handlers need from the engine. */
export interface InputTarget {
  readonly motion: ViewMotion;
  readonly width: number;
  readonly height: number;
  /** Called after a change of the motion: draw. */
  readonly changed: () => void;
  readonly reducedMotion: () => boolean;
}

/** Milliseconds over which the speed of a throw is measured. */
const throwWindowMs = 80;

/** Drag with inertia, pinch, and zoom by wheel at the cursor. Returns the function that stops it. */
export function listenToPointers(host: HTMLElement, target: InputTarget): () => void {
  const { motion } = target;
  let trail: { readonly time: number; readonly pan: number; readonly tilt: number }[] = [];
  const zoomTo = (fov: number, { x, y }: Finger): void =>
    motion.set(zoomAbout(motion.view, fov, target.width, target.height, x, y));

  return listenToGestures(host, {
    pressed: ({ button }) => {
      if (button !== 0) return false;
      trail = [];
      motion.stop();
      return true;
    },
    dragged: (dx, dy, { timeStamp }) => {
      const { view } = motion;
      const perPixel = degreesPerPixel(view.fov, target.height);
      const pan = (-dx * perPixel) / Math.max(0.3, Math.cos(radians(view.tilt)));
      const tilt = dy * perPixel;
      motion.set({ pan: view.pan + pan, tilt: view.tilt + tilt });
      trail.push({ time: timeStamp, pan, tilt });
    },
    pinched: (ratio, middle) => zoomTo(motion.view.fov * ratio, middle()),
    moved: () => target.changed(),
    released: ({ timeStamp, type }, _, wasDrag, left) => {
      const recent = trail.filter((step) => timeStamp - step.time < throwWindowMs);
      if (left > 0) {
        trail = [];
        return;
      }
      if (wasDrag && type === 'pointerup' && recent.length > 1 && !target.reducedMotion()) {
        const seconds = throwWindowMs / 1000;
        const sum = (axis: 'pan' | 'tilt'): number => recent.reduce((total, step) => total + step[axis], 0);
        motion.throwBy(sum('pan') / seconds, sum('tilt') / seconds);
      }
      target.changed();
    },
    scrolled: (amount, { ctrlKey }, at) => {
      motion.stop();
      zoomTo(motion.view.fov * Math.exp(amount * (ctrlKey ? 0.01 : 0.0015)), at);
      target.changed();
    },
  });
}

/** At the centre of the view. */
function degreesPerPixel(fov: number, height: number): number {
  return (Math.atan((2 * Math.tan(radians(fov) / 2)) / height) * 180) / Math.PI;
}
