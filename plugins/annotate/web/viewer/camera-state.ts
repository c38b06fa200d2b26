import { distanceBetween, computeShortestTurn, type Point3 } from '#core';
import type { PanoramaView } from '#plugins/tour';
import type { ToolContext } from './tool-context.ts';

/**
 * Position and view of the camera at one moment. A pick that had to wait compares the state at its click with the
 * current one, and is dropped if the camera has moved.
 */
export interface CameraState {
  readonly eye: Point3 | undefined;
  readonly view: PanoramaView;
}

/** Tolerances of an unchanged view, because a module reports a rounded view when its picture is ready. */
const tolerance = { degrees: 0.1, metres: 0.05 } as const;

export const captureCameraState = ({ tourStore, tourTools }: ToolContext): CameraState => ({
  eye: tourTools.position ?? tourStore.currentNode?.position,
  view: tourTools.view,
});

/** Whether the camera has not moved, so that a pixel still shows the same point. */
export function isSameCameraState(previous: CameraState | undefined, current: CameraState | undefined): boolean {
  if (!previous || !current) return previous === current;
  const movedMetres = previous.eye && current.eye ? distanceBetween(previous.eye, current.eye) : 0;
  const turnedDegrees = Math.max(
    Math.abs(computeShortestTurn(previous.view.pan, current.view.pan)),
    Math.abs(previous.view.tilt - current.view.tilt),
    Math.abs(previous.view.fov - current.view.fov),
  );
  return movedMetres <= tolerance.metres && turnedDegrees <= tolerance.degrees;
}
