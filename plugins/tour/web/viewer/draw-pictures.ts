import type { PanoramaPicture } from '#plugins/tour';
import type { Graphics } from './graphics.ts';
import type { Scene } from './gl/renderer.ts';
import type { Camera } from './math/camera.ts';
import { planScene, type ScenePlan } from './scene-plan.ts';
import { eyesAt, computeProgress, type Transition } from './transition.ts';

export interface PicturesToDraw {
  readonly current: PanoramaPicture | undefined;
  /** The loading picture: not drawn yet, but its tiles come first. */
  readonly next: PanoramaPicture | undefined;
  readonly transition: Transition | undefined;
  /** Drawn over the left part of `current`, up to `share` of the width. */
  readonly compared: Comparison | undefined;
}

export interface Comparison {
  readonly picture: PanoramaPicture;
  readonly share: number;
}

/** Draws one frame. Returns the plan of each picture, the next one first. */
export function drawPictures(
  graphics: Graphics,
  camera: Camera,
  frame: number,
  now: number,
  { current, next, transition, compared }: PicturesToDraw,
): readonly ScenePlan[] {
  const { renderer, pages } = graphics;
  const plans: ScenePlan[] = [];
  const createPlan = (picture: PanoramaPicture): ScenePlan => {
    const plan = planScene(picture, camera, graphics.tiles, frame);
    return graphics.previews.isOnItsWay(picture) ? { ...plan, missing: [] } : plan;
  };
  const scene = (picture: PanoramaPicture, walk?: Scene['walk']): Scene => {
    const plan = createPlan(picture);
    plans.push(plan);
    return {
      heading: picture.heading,
      tiles: plan.tiles,
      preview: plan.covered ? undefined : graphics.previews.ready(picture)?.texture,
      ...(walk ? { walk } : {}),
    };
  };

  renderer.begin();
  if (transition) {
    const { way, opacity } = computeProgress(transition, now);
    const eyes = eyesAt(transition.from.position, transition.to.position, way);
    const arriving = scene(transition.to, transition.walk && { mesh: transition.walk.to, eye: eyes.to });
    const leaving = scene(transition.from, transition.walk && { mesh: transition.walk.from, eye: eyes.from });
    if (transition.walk) renderer.drawOver(leaving, camera, pages, 1);
    else renderer.draw(leaving, camera, pages);
    if (opacity > 0) renderer.drawOver(arriving, camera, pages, opacity);
  } else if (current && compared && !next) {
    const border = Math.round(compared.share * camera.width);
    renderer.draw(scene(current), camera, pages, { from: border, to: camera.width });
    renderer.draw(scene(compared.picture), camera, pages, { from: 0, to: border });
    const [right, left] = plans;
    if (right && left) return [{ ...right, missing: inTurn(right.missing, left.missing) }];
  } else if (current) {
    if (next) plans.push(createPlan(next));
    renderer.draw(scene(current), camera, pages);
  }
  return plans;
}

/** Interleaves two lists: the first of each, the second of each, and so on. */
function inTurn<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, k) => [
    ...a.slice(k, k + 1),
    ...b.slice(k, k + 1),
  ]).flat();
}
