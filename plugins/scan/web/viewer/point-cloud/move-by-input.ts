import type { CameraController } from '#plugins/tour';
import type { ShownCloud } from '../cloud/cloud-surface.ts';

export interface InputMotion {
  /** Runs the camera's animation frame by frame until it ends. */
  run(): void;
  stop(): void;
}

/** Moves the camera by pointers and keys. Calls `onMoved` after each step of a movement. */
export function moveByInput(surface: ShownCloud, camera: CameraController, onMoved: () => void): InputMotion {
  let frame = 0;
  const run = (): void => {
    onMoved();
    if (!camera.moving || frame !== 0) return;
    const step = (now: number): void => {
      camera.step(now);
      onMoved();
      frame = camera.moving ? requestAnimationFrame(step) : 0;
    };
    frame = requestAnimationFrame(step);
  };
  const stop = camera.listen(surface.host, {
    pointAt: async (x, y) => (await surface.pick(x, y))?.point,
    onChange: run,
  });
  return {
    run,
    stop: () => {
      stop();
      cancelAnimationFrame(frame);
    },
  };
}
