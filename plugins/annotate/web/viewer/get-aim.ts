import { distanceBetween, shortestTurn, type Point3 } from '#core';
import type { PanoramaView } from '#plugins/tour';
import type { ToolContext } from './tool-context.ts';

/** Position and direction of the camera at a click. */
export interface Aim {
  readonly eye: Point3 | undefined;
  readonly view: PanoramaView;
}

/** Tolerances of an unchanged view, because a module reports a rounded view when its picture is ready. */
const tolerance = { degrees: 0.1, metres: 0.05 } as const;

export const getAim = ({ store, tools }: ToolContext): Aim => ({
  eye: tools.position ?? store.currentNode?.position,
  view: tools.view,
});

/** Whether the camera has not moved, so that a pixel still shows the same point. */
export function isSameAim(previous: Aim | undefined, current: Aim | undefined): boolean {
  if (!previous || !current) return previous === current;
  const movedMetres = previous.eye && current.eye ? distanceBetween(previous.eye, current.eye) : 0;
  const turnedDegrees = Math.max(
    Math.abs(shortestTurn(previous.view.pan, current.view.pan)),
    Math.abs(previous.view.tilt - current.view.tilt),
    Math.abs(previous.view.fov - current.view.fov),
  );
  return movedMetres <= tolerance.metres && turnedDegrees <= tolerance.degrees;
}
