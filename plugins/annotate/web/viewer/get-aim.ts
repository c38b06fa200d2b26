import { distanceBetween, shortestTurn, type Point3 } from '#core';
import type { PanoramaView } from '#plugins/tour';
import type { ToolPlace } from './tool-place.ts';

/** Where somebody stood and looked when a pixel was pressed. */
export interface Aim {
  readonly eye: Point3 | undefined;
  readonly view: PanoramaView;
}

/** What a view may move by and still be the same: a module tells it once more, rounded, when its picture is there. */
const slack = { degrees: 0.1, metres: 0.05 } as const;

export const getAim = ({ store, tools }: ToolPlace): Aim => ({
  eye: tools.position ?? store.currentNode?.position,
  view: tools.view,
});

/** Whether a pixel still shows what it showed: nobody has walked or turned meanwhile. */
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
