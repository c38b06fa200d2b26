import { toDirection, distanceBetween, dotProduct, minus, plus, radians, times, type Point3 } from '#core';
import type { WalkListener } from '#plugins/tour';
import type { EasedCameraController } from './eased-camera-controller.ts';

interface Finger {
  readonly x: number;
  readonly y: number;
}

/** Pixels that a press may wander and still be a click. */
const clickReach = 4;
/** Metres to what is looked at, where there is nothing. */
const openAir = 10;
const nearest = 0.3;
/** Milliseconds after which the wheel takes aim anew. */
const wheelPause = 250;
/** Going round: degrees a pixel. */
const roundPerPixel = 0.35;

/**
 * Drag turns or goes round; two fingers, the right button or Shift slide; pinch and wheel go towards what is under
 * them. Returns the way out.
 */
export function listenToPointers(
  host: HTMLElement,
  walk: EasedCameraController,
  { pointAt, changed, clicked }: Pick<WalkListener, 'pointAt' | 'changed' | 'clicked'>,
): () => void {
  const fingers = new Map<number, Finger>();
  let start: Finger | undefined;
  let dragging = false;
  let sliding = false;
  let aim: Point3 | undefined;
  let aims = 0;
  let aimed = Promise.resolve();
  let lastWheel = -Infinity;

  const place = (event: PointerEvent | WheelEvent): Finger => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = (): number => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const takeAim = async ({ x, y }: Finger, then?: (aim: Point3) => void): Promise<void> => {
    const asked = ++aims;
    const point = await pointAt(x, y);
    // A later gesture aims elsewhere.
    if (asked !== aims) return;
    aim = point;
    if (point) then?.(point);
  };
  const reach = (): number => (aim ? Math.max(nearest, distanceBetween(aim, walk.view.position)) : openAir);
  /** How far what is held lies from the picture's plane: it stays under the finger. */
  const depth = (): number =>
    aim
      ? Math.max(nearest, dotProduct(minus(aim, walk.view.position), toDirection(walk.view.pan, walk.view.tilt)))
      : openAir;
  const height = (): number => Math.max(1, host.clientHeight);
  const metresPerPixel = (): number => (2 * depth() * Math.tan(radians(walk.view.fov) / 2)) / height();

  const turn = (dx: number, dy: number): void => {
    if (walk.mode === 'orbit') return walk.turn(dx * roundPerPixel, -dy * roundPerPixel);
    const degrees = walk.view.fov / height();
    walk.turn(-dx * degrees, dy * degrees);
  };

  const onDown = (event: PointerEvent): void => {
    if (event.button > 2) return;
    start = place(event);
    fingers.set(event.pointerId, start);
    sliding = event.button !== 0 || event.shiftKey;
    dragging = fingers.size > 1;
    const all = [...fingers.values()];
    const middle = {
      x: all.reduce((sum, { x }) => sum + x, 0) / all.length,
      y: all.reduce((sum, { y }) => sum + y, 0) / all.length,
    };
    if (sliding || fingers.size > 1) void takeAim(middle);
    else if (walk.mode === 'orbit') {
      // What one takes hold of is what one goes round.
      void takeAim(middle, (point) => {
        const { position, pan, tilt } = walk.view;
        walk.target = plus(position, times(toDirection(pan, tilt), distanceBetween(point, position)));
      });
    }
  };

  const onMove = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (!dragging) {
      if (start && Math.hypot(now.x - start.x, now.y - start.y) < clickReach) return;
      dragging = true;
    }
    if (!host.hasPointerCapture(event.pointerId)) host.setPointerCapture(event.pointerId);
    const spreadBefore = spread();
    fingers.set(event.pointerId, now);
    const [dx, dy] = [(now.x - before.x) / fingers.size, (now.y - before.y) / fingers.size];
    if (fingers.size === 1 && !sliding) turn(dx, dy);
    else {
      walk.slide(-dx * metresPerPixel(), dy * metresPerPixel());
      const spreadNow = spread();
      if (spreadBefore > 0 && spreadNow > 0) walk.advance(reach() * (1 - spreadBefore / spreadNow), aim);
    }
    changed();
  };

  const onUp = (event: PointerEvent): void => {
    const was = fingers.get(event.pointerId);
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
    // A tool that took the press for itself says so.
    if (was && !dragging && !event.defaultPrevented && event.type === 'pointerup' && event.button === 0)
      clicked?.(was.x, was.y, event.ctrlKey || event.metaKey);
    dragging = false;
    sliding = false;
  };

  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (event.timeStamp - lastWheel > wheelPause) aimed = takeAim(place(event));
    lastWheel = event.timeStamp;
    const lines =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    const share = 1 - Math.exp(Math.max(-300, Math.min(300, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.0012));
    void aimed.then(() => {
      walk.advance(share * reach(), aim);
      changed();
    });
  };

  const ends = new AbortController();
  const { signal } = ends;
  host.addEventListener('pointerdown', onDown, { signal });
  host.addEventListener('pointermove', onMove, { signal });
  host.addEventListener('pointerup', onUp, { signal });
  host.addEventListener('pointercancel', onUp, { signal });
  host.addEventListener('wheel', onWheel, { signal, passive: false });
  host.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  return () => ends.abort();
}
