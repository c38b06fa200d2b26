import type { CameraController } from '#plugins/tour';
import type { ShownCloud } from '../cloud/cloud-surface.ts';

export interface PointerMotion {
  /** Continues an animation, such as one that other code started. */
  run(): void;
  end(): void;
}

/** Moves the view by pointers and keys, frame by frame while a movement continues. Calls `onMoved` after each step. */
export function moveByHand(surface: ShownCloud, walk: CameraController, onMoved: () => void): PointerMotion {
  let frame = 0;
  const run = (): void => {
    onMoved();
    if (!walk.moving || frame !== 0) return;
    const step = (now: number): void => {
      walk.step(now);
      onMoved();
      frame = walk.moving ? requestAnimationFrame(step) : 0;
    };
    frame = requestAnimationFrame(step);
  };
  const end = walk.listen(surface.host, { pointAt: async (x, y) => (await surface.pick(x, y))?.point, onChange: run });
  return {
    run,
    end: () => {
      end();
      cancelAnimationFrame(frame);
    },
  };
}
