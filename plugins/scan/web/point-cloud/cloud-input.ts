import { distanceOf, radians, type Point3 } from '#core';
import type { FreeWalk, HeldMotion } from './free-walk.ts';

/** What moves, and whom to tell. */
export interface CloudInputTarget {
  readonly walk: FreeWalk;
  /** Pixels of the page. */
  readonly height: () => number;
  /** The point of the cloud under a pixel of the host; undefined where there is none. */
  readonly pointAt: (x: number, y: number) => Promise<Point3 | undefined>;
  /** After each step by hand, and when keys begin or end to be held. */
  readonly changed: () => void;
}

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

/** Drag turns; two fingers, the right button or Shift slide; pinch and wheel go towards what is under them. Returns the way out. */
export function listenToPointers(host: HTMLElement, target: CloudInputTarget): () => void {
  const { walk } = target;
  const fingers = new Map<number, Finger>();
  let start: Finger | undefined;
  let dragging = false;
  let sliding = false;
  let aim: Point3 | undefined;
  let lastWheel = -Infinity;

  const place = (event: PointerEvent | WheelEvent): Finger => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = (): number => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const takeAim = ({ x, y }: Finger): void => {
    void target.pointAt(x, y).then((point) => {
      aim = point;
    });
  };
  const reach = (): number => (aim ? Math.max(nearest, distanceOf(aim, walk.view.position)) : openAir);
  const degreesPerPixel = (): number => walk.view.fov / Math.max(1, target.height());
  const metresPerPixel = (): number => (2 * reach() * Math.tan(radians(walk.view.fov) / 2)) / Math.max(1, target.height());

  const onDown = (event: PointerEvent): void => {
    if (event.button > 2) return;
    start = place(event);
    fingers.set(event.pointerId, start);
    sliding = event.button !== 0 || event.shiftKey;
    dragging = fingers.size > 1;
    if (!sliding && fingers.size < 2) return;
    const all = [...fingers.values()];
    takeAim({ x: all.reduce((sum, { x }) => sum + x, 0) / all.length, y: all.reduce((sum, { y }) => sum + y, 0) / all.length });
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
    if (fingers.size === 1 && !sliding) walk.turn(-dx * degreesPerPixel(), dy * degreesPerPixel());
    else {
      walk.slide(-dx * metresPerPixel(), dy * metresPerPixel());
      const spreadNow = spread();
      if (spreadBefore > 0 && spreadNow > 0) walk.advance(reach() * (1 - spreadBefore / spreadNow), aim);
    }
    target.changed();
  };

  const onUp = (event: PointerEvent): void => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
    dragging = false;
    sliding = false;
  };

  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (event.timeStamp - lastWheel > wheelPause) takeAim(place(event));
    lastWheel = event.timeStamp;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    const share = 1 - Math.exp(Math.max(-300, Math.min(300, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.0012));
    walk.advance(share * reach(), aim);
    target.changed();
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

const pace = 2.2;
const haste = 4;
const turning = 60;
const zooming = 1.1;

const motions: Readonly<Record<string, Partial<HeldMotion>>> = {
  w: { ahead: pace },
  s: { ahead: -pace },
  a: { right: -pace },
  d: { right: pace },
  e: { up: pace },
  q: { up: -pace },
  pageup: { up: pace },
  pagedown: { up: -pace },
  arrowup: { ahead: pace },
  arrowdown: { ahead: -pace },
  arrowleft: { pan: -turning },
  arrowright: { pan: turning },
  r: { tilt: turning / 2 },
  f: { tilt: -turning / 2 },
  '+': { zoom: -zooming },
  '=': { zoom: -zooming },
  '-': { zoom: zooming },
  _: { zoom: zooming },
};

/** While held: W A S D and the arrows walk and turn, Q E and page keys go down and up, R F look up and down, plus and minus zoom; Shift is faster. Returns the way out. */
export function listenToKeys(host: HTMLElement, { walk, changed }: CloudInputTarget): () => void {
  const held = new Set<string>();
  let fast = false;

  const apply = (): void => {
    const sum = { ahead: 0, right: 0, up: 0, pan: 0, tilt: 0, zoom: 0 };
    for (const key of held) for (const [axis, value] of Object.entries(motions[key] ?? {}) as [keyof HeldMotion, number][]) sum[axis] += value;
    const factor = fast ? haste : 1;
    walk.hold({ ...sum, ahead: sum.ahead * factor, right: sum.right * factor, up: sum.up * factor });
    changed();
  };
  const onDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (!motions[key]) return;
    event.preventDefault();
    // The page has shortcuts of one letter: here the letters walk.
    event.stopPropagation();
    const same = held.has(key) && fast === event.shiftKey;
    fast = event.shiftKey;
    held.add(key);
    if (!same) apply();
  };
  const onUp = (event: KeyboardEvent): void => {
    fast = event.shiftKey;
    if (held.delete(event.key.toLowerCase()) || event.key === 'Shift') apply();
  };
  const release = (): void => {
    if (held.size === 0) return;
    held.clear();
    apply();
  };

  const ends = new AbortController();
  const { signal } = ends;
  host.addEventListener('keydown', onDown, { signal });
  host.addEventListener('keyup', onUp, { signal });
  host.addEventListener('focusout', release, { signal });
  return () => {
    ends.abort();
    release();
  };
}
