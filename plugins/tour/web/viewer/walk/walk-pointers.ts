import { toDirection, distanceBetween, dotProduct, minus, plus, radians, times, type Point3 } from '#core';
import { listenToGestures, type Finger } from '../input/pointer-gestures.ts';
import type { WalkListener } from '#plugins/tour';
import type { EasedCameraController } from './eased-camera-controller.ts';

/** Assumed distance if no point is hit, metres. */
const defaultDistance = 10;
const nearest = 0.3;
/** Milliseconds after which the wheel picks its target again. */
const wheelPauseMs = 250;
/** Degrees of orbit per pixel. */
const orbitPerPixel = 0.35;

/**
 * Drag turns or orbits; two fingers, the right button or Shift slide; pinch and wheel move towards the point under
 * them. Returns the function that stops it.
 */
export function listenToPointers(
  host: HTMLElement,
  walk: EasedCameraController,
  { pointAt, changed, clicked }: Pick<WalkListener, 'pointAt' | 'changed' | 'clicked'>,
): () => void {
  let sliding = false;
  let aim: Point3 | undefined;
  let aims = 0;
  let aimed = Promise.resolve();
  let lastWheel = -Infinity;

  const takeAim = async ({ x, y }: Finger, then?: (aim: Point3) => void): Promise<void> => {
    const request = ++aims;
    const point = await pointAt(x, y);
    // A later gesture has another target.
    if (request !== aims) return;
    aim = point;
    if (point) then?.(point);
  };
  const aimDistance = (): number =>
    aim ? Math.max(nearest, distanceBetween(aim, walk.view.position)) : defaultDistance;
  /** Distance of the grabbed point from the picture's plane, so that it stays under the finger. */
  const depth = (): number =>
    aim
      ? Math.max(nearest, dotProduct(minus(aim, walk.view.position), toDirection(walk.view.pan, walk.view.tilt)))
      : defaultDistance;
  const height = (): number => Math.max(1, host.clientHeight);
  const metresPerPixel = (): number => (2 * depth() * Math.tan(radians(walk.view.fov) / 2)) / height();

  const turn = (dx: number, dy: number): void => {
    if (walk.mode === 'orbit') return walk.turn(dx * orbitPerPixel, -dy * orbitPerPixel);
    const degrees = walk.view.fov / height();
    walk.turn(-dx * degrees, dy * degrees);
  };

  const stop = listenToGestures(host, {
    pressed: (event, fingers, middle) => {
      if (event.button > 2) return false;
      sliding = event.button !== 0 || event.shiftKey;
      if (sliding || fingers > 1) void takeAim(middle());
      else if (walk.mode === 'orbit') {
        // The grabbed point becomes the orbit target.
        void takeAim(middle(), (point) => {
          const { position, pan, tilt } = walk.view;
          walk.target = plus(position, times(toDirection(pan, tilt), distanceBetween(point, position)));
        });
      }
      return true;
    },
    dragged: (dx, dy, _, fingers) => {
      if (fingers === 1 && !sliding) turn(dx, dy);
      else walk.slide(-dx * metresPerPixel(), dy * metresPerPixel());
    },
    pinched: (ratio) => walk.advance(aimDistance() * (1 - ratio), aim),
    moved: changed,
    released: (event, { x, y }, wasDrag, left) => {
      if (left > 0) return;
      // A tool that handled the press has prevented its default.
      if (!wasDrag && !event.defaultPrevented && event.type === 'pointerup' && event.button === 0)
        clicked?.(x, y, event.ctrlKey || event.metaKey);
      sliding = false;
    },
    scrolled: (amount, { timeStamp, ctrlKey }, at) => {
      if (timeStamp - lastWheel > wheelPauseMs) aimed = takeAim(at);
      lastWheel = timeStamp;
      const share = 1 - Math.exp(amount * (ctrlKey ? 0.01 : 0.0012));
      void aimed.then(() => {
        walk.advance(share * aimDistance(), aim);
        changed();
      });
    },
  });
  const onMenu = (event: Event): void => event.preventDefault();
  host.addEventListener('contextmenu', onMenu);
  return () => {
    stop();
    host.removeEventListener('contextmenu', onMenu);
  };
}
