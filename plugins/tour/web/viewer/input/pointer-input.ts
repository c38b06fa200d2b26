import { toRadians } from '#core';
import { listenToGestures, type PointerPosition } from './pointer-gestures.ts';
import { zoomAbout } from '../math/zoom-about.ts';
import type { ViewMotion } from '../view-motion.ts';

/** The part of the engine that input handlers use. */
export interface InputTarget {
  readonly motion: ViewMotion;
  readonly width: number;
  readonly height: number;
  /** Called after a change of the motion, to draw a frame. */
  readonly onChange: () => void;
  readonly reducedMotion: () => boolean;
}

/** Milliseconds over which the speed of a fling is measured. */
const flingWindowMs = 80;

/** Turns the view by drags with inertia, and zooms by pinches and the wheel. Returns the function that stops it. */
export function listenToPointers(host: HTMLElement, target: InputTarget): () => void {
  const { motion } = target;
  let recentSteps: { readonly time: number; readonly pan: number; readonly tilt: number }[] = [];
  const zoomTo = (fov: number, { x, y }: PointerPosition): void =>
    motion.set(zoomAbout(motion.view, fov, target.width, target.height, x, y));

  return listenToGestures(host, {
    onPress: ({ button }) => {
      if (button !== 0) return false;
      recentSteps = [];
      motion.stop();
      return true;
    },
    onDrag: (dx, dy, { timeStamp }) => {
      const { view } = motion;
      const degreesPerPixel = computeDegreesPerPixel(view.fov, target.height);
      const pan = (-dx * degreesPerPixel) / Math.max(0.3, Math.cos(toRadians(view.tilt)));
      const tilt = dy * degreesPerPixel;
      motion.set({ pan: view.pan + pan, tilt: view.tilt + tilt });
      recentSteps.push({ time: timeStamp, pan, tilt });
    },
    onPinch: (ratio, getMiddle) => zoomTo(motion.view.fov * ratio, getMiddle()),
    onGestureStep: () => target.onChange(),
    onRelease: ({ timeStamp, type }, _, wasDrag, remainingCount) => {
      const flingSteps = recentSteps.filter((step) => timeStamp - step.time < flingWindowMs);
      if (remainingCount > 0) {
        recentSteps = [];
        return;
      }
      if (wasDrag && type === 'pointerup' && flingSteps.length > 1 && !target.reducedMotion()) {
        const seconds = flingWindowMs / 1000;
        const sumSteps = (axis: 'pan' | 'tilt'): number => flingSteps.reduce((total, step) => total + step[axis], 0);
        motion.glide(sumSteps('pan') / seconds, sumSteps('tilt') / seconds);
      }
      target.onChange();
    },
    onScroll: (amount, { ctrlKey }, position) => {
      motion.stop();
      zoomTo(motion.view.fov * Math.exp(amount * (ctrlKey ? 0.01 : 0.0015)), position);
      target.onChange();
    },
  });
}

/** Computes the angle of a pixel at the centre of the view. */
function computeDegreesPerPixel(fov: number, height: number): number {
  return (Math.atan((2 * Math.tan(toRadians(fov) / 2)) / height) * 180) / Math.PI;
}
