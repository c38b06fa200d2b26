import type { PanoramaPicture } from '#plugins/tour';
import type { Graphics } from './graphics.ts';
import type { Scene } from './gl/renderer.ts';
import type { Camera } from './math/camera.ts';
import { planScene, type ScenePlan } from './scene-plan.ts';
import { computeEyes, computeProgress, type Transition } from './transition.ts';

export interface FramePictures {
  readonly current: PanoramaPicture | undefined;
  /** The loading picture. It is not drawn yet, but its tiles are loaded first. */
  readonly next: PanoramaPicture | undefined;
  readonly transition: Transition | undefined;
  /** The picture that is drawn over the left part of `current`, up to `fraction` of the width. */
  readonly comparison: Comparison | undefined;
}

export interface Comparison {
  readonly picture: PanoramaPicture;
  readonly fraction: number;
}

/**
 * Draws one frame. Returns a plan for each picture. The plan of `next`, or of the target of the transition, comes
 * first. A comparison has one plan with the missing tiles of both pictures.
 */
export function drawPictures(
  graphics: Graphics,
  camera: Camera,
  frame: number,
  now: number,
  { current, next, transition, comparison }: FramePictures,
): readonly ScenePlan[] {
  const { renderer, pages } = graphics;
  const plans: ScenePlan[] = [];
  const createPlan = (picture: PanoramaPicture): ScenePlan => {
    const plan = planScene(picture, camera, graphics.tiles, frame);
    return graphics.previews.isFetching(picture) ? { ...plan, missing: [] } : plan;
  };
  const createScene = (picture: PanoramaPicture, walk?: Scene['walk']): Scene => {
    const plan = createPlan(picture);
    plans.push(plan);
    return {
      heading: picture.heading,
      tiles: plan.tiles,
      preview: plan.covered ? undefined : graphics.previews.findReady(picture)?.texture,
      ...(walk ? { walk } : {}),
    };
  };

  renderer.beginFrame();
  if (transition) {
    const { travelled, opacity } = computeProgress(transition, now);
    const eyes = computeEyes(transition.from.position, transition.to.position, travelled);
    const targetScene = createScene(transition.to, transition.walk && { mesh: transition.walk.to, eye: eyes.to });
    const sourceScene = createScene(transition.from, transition.walk && { mesh: transition.walk.from, eye: eyes.from });
    if (transition.walk) renderer.drawOver(sourceScene, camera, pages, 1);
    else renderer.draw(sourceScene, camera, pages);
    if (opacity > 0) renderer.drawOver(targetScene, camera, pages, opacity);
  } else if (current && comparison && !next) {
    const borderPx = Math.round(comparison.fraction * camera.width);
    renderer.draw(createScene(current), camera, pages, { from: borderPx, to: camera.width });
    renderer.draw(createScene(comparison.picture), camera, pages, { from: 0, to: borderPx });
    const [right, left] = plans;
    if (right && left) return [{ ...right, missing: interleave(right.missing, left.missing) }];
  } else if (current) {
    if (next) plans.push(createPlan(next));
    renderer.draw(createScene(current), camera, pages);
  }
  return plans;
}

/** Takes elements of both lists alternately. */
function interleave<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, k) => [
    ...a.slice(k, k + 1),
    ...b.slice(k, k + 1),
  ]).flat();
}
