import { directionOf, distanceOf, plus, radians, times, type Point3 } from '#core';
import type { ModelMotion, SteadyMotion } from './model-motion.ts';

/** What input needs of the engine. */
export interface ModelInputTarget {
  readonly motion: ModelMotion;
  /** Pixels of the page. */
  readonly height: number;
  /** The surface under a pixel of the host, site frame. */
  readonly pointAt: (x: number, y: number) => Point3 | undefined;
  readonly changed: () => void;
  readonly home: () => void;
}

interface Finger {
  readonly x: number;
  readonly y: number;
}

/** Pixels that a press may wander and still be a click. */
const clickReach = 4;
/** Metres to what is looked at, where nothing is hit. */
const openAir = 10;
const wheelPause = 250;

/** Drag turns, two fingers or the right button slide, pinch and wheel go towards what is under them. A click without a drag is told to `onClick`. Returns the way out. */
export function listenToPointers(host: HTMLElement, target: ModelInputTarget, onClick: (x: number, y: number, event: PointerEvent) => void): () => void {
  const { motion } = target;
  const fingers = new Map<number, Finger>();
  let start: Finger | undefined;
  let dragging = false;
  let sliding = false;
  /** Metres to what was under the gesture when it began. */
  let reach = openAir;
  let aim: Point3 | undefined;
  let lastWheel = -Infinity;

  const place = (event: PointerEvent | WheelEvent): Finger => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const middle = (): Finger => {
    const all = [...fingers.values()];
    return { x: all.reduce((sum, finger) => sum + finger.x, 0) / all.length, y: all.reduce((sum, finger) => sum + finger.y, 0) / all.length };
  };
  const spread = (): number => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const takeAim = ({ x, y }: Finger): void => {
    aim = target.pointAt(x, y);
    reach = aim ? Math.max(0.3, distanceOf(aim, motion.state.position)) : openAir;
  };
  const degreesPerPixel = (): number => motion.state.fov / Math.max(1, target.height);
  const metresPerPixel = (): number => (2 * reach * Math.tan(radians(motion.state.fov) / 2)) / Math.max(1, target.height);

  const onDown = (event: PointerEvent): void => {
    if (event.button > 2) return;
    const finger = place(event);
    fingers.set(event.pointerId, finger);
    start = finger;
    sliding = event.button !== 0 || event.shiftKey;
    dragging = fingers.size > 1;
    if (sliding || fingers.size > 1 || motion.mode === 'orbit') takeAim(middle());
    // What one takes hold of is what one turns about.
    if (motion.mode === 'orbit' && aim && fingers.size === 1 && !sliding) motion.target = alongView(motion, distanceOf(aim, motion.state.position));
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
    const share = 1 / fingers.size;
    const [dx, dy] = [(now.x - before.x) * share, (now.y - before.y) * share];
    if (fingers.size === 1 && !sliding) {
      const turn = motion.mode === 'orbit' ? 0.35 : degreesPerPixel();
      motion.turn((motion.mode === 'orbit' ? dx : -dx) * turn, (motion.mode === 'orbit' ? -dy : dy) * turn);
    } else {
      motion.slide(-dx * metresPerPixel(), dy * metresPerPixel());
      const spreadNow = spread();
      if (spreadBefore > 0 && spreadNow > 0) {
        const metres = reach * (1 - spreadBefore / spreadNow);
        motion.advance(metres);
        reach = Math.max(0.3, reach - metres);
      }
    }
    target.changed();
  };

  const onUp = (event: PointerEvent): void => {
    const was = fingers.get(event.pointerId);
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
    if (!dragging && event.type === 'pointerup' && event.button === 0 && was) onClick(was.x, was.y, event);
    dragging = false;
    sliding = false;
  };

  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (event.timeStamp - lastWheel > wheelPause) takeAim(place(event));
    lastWheel = event.timeStamp;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    const share = 1 - Math.exp(Math.max(-300, Math.min(300, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.0012));
    if (aim) reach = Math.max(0.3, distanceOf(aim, motion.state.position));
    motion.advance(share * reach, aim);
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

const alongView = ({ state }: ModelMotion, metres: number): Point3 => plus(state.position, times(directionOf(state.pan, state.tilt), metres));

/** Metres a second, and how much faster with Shift. */
const pace = 2.2;
const haste = 4;
const turning = 60;
const zooming = 1.1;

const walks: Readonly<Record<string, Partial<SteadyMotion>>> = {
  w: { forward: pace },
  s: { forward: -pace },
  a: { right: -pace },
  d: { right: pace },
  e: { up: pace },
  q: { up: -pace },
  pageup: { up: pace },
  pagedown: { up: -pace },
  arrowup: { forward: pace },
  arrowdown: { forward: -pace },
  arrowleft: { pan: -turning },
  arrowright: { pan: turning },
  r: { tilt: turning / 2 },
  f: { tilt: -turning / 2 },
  '+': { zoom: -zooming },
  '=': { zoom: -zooming },
  '-': { zoom: zooming },
  _: { zoom: zooming },
};

/** In orbit the arrows go round. */
const orbits: Readonly<Record<string, Partial<SteadyMotion>>> = { arrowup: { tilt: -turning / 2 }, arrowdown: { tilt: turning / 2 }, arrowleft: { pan: turning }, arrowright: { pan: -turning } };

/** While held: W A S D and the arrows walk and turn, Q E and page keys go down and up, R F look up and down, plus and minus zoom; Shift is faster. Home shows everything. Returns the way out. */
export function listenToKeys(host: HTMLElement, target: ModelInputTarget): () => void {
  const held = new Set<string>();
  let fast = false;

  const apply = (): void => {
    const sum: Record<keyof SteadyMotion, number> = { forward: 0, right: 0, up: 0, pan: 0, tilt: 0, zoom: 0 };
    for (const key of held) {
      const motion = (target.motion.mode === 'orbit' ? orbits[key] : undefined) ?? walks[key] ?? {};
      for (const [axis, value] of Object.entries(motion) as [keyof SteadyMotion, number][]) sum[axis] += value;
    }
    const factor = fast ? haste : 1;
    target.motion.moveSteadily({ ...sum, forward: sum.forward * factor, right: sum.right * factor, up: sum.up * factor });
    target.changed();
  };

  const onDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === 'home') {
      event.preventDefault();
      target.home();
      return;
    }
    if (!walks[key]) return;
    event.preventDefault();
    // The page has shortcuts of one letter: here the letters walk.
    event.stopPropagation();
    const was = held.has(key) && fast === event.shiftKey;
    fast = event.shiftKey;
    if (was) return;
    held.add(key);
    apply();
  };
  const onUp = (event: KeyboardEvent): void => {
    fast = event.shiftKey;
    if (held.delete(event.key.toLowerCase()) || event.key === 'Shift') apply();
  };
  const onBlur = (): void => {
    if (held.size === 0) return;
    held.clear();
    apply();
  };

  const ends = new AbortController();
  const { signal } = ends;
  host.addEventListener('keydown', onDown, { signal });
  host.addEventListener('keyup', onUp, { signal });
  host.addEventListener('focusout', onBlur, { signal });
  return () => {
    ends.abort();
    onBlur();
  };
}
