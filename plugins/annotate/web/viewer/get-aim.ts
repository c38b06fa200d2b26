import { distanceBetween, shortestTurn, type Point3 } from '#core';
import type { PanoramaView } from '#plugins/tour';
import type { ToolPlace } from './tool-place.ts';

/** Position and direction of the camera at a click. */
export interface Aim {
  readonly eye: Point3 | undefined;
  readonly view: PanoramaView;
}

/** Tolerances of an unchanged view: a module reports it again, rounded, when its picture is ready. */
const slack = { degrees: 0.1, metres: 0.05 } as const;

export const getAim = ({ store, tools }: ToolPlace): Aim => ({
  eye: tools.position ?? store.currentNode?.position,
  view: tools.view,
});

/** Whether the camera is still where it was, so that a pixel shows the same point. */
export function isSameAim(before: Aim | undefined, now: Aim | undefined): boolean {
  if (!before || !now) return before === now;
  const moved = before.eye && now.eye ? distanceBetween(before.eye, now.eye) : 0;
  const turned = Math.max(
    Math.abs(shortestTurn(before.view.pan, now.view.pan)),
    Math.abs(before.view.tilt - now.view.tilt),
    Math.abs(before.view.fov - now.view.fov),
  );
  return moved <= slack.metres && turned <= slack.degrees;
}
