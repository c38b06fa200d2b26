import type { WalkListener } from '#plugins/tour';
import { listenToHeldKeys } from '../input/held-keys.ts';
import type { EasedCameraController, HeldMotion } from './eased-camera-controller.ts';

/** Metres per second, and the factor with Shift. */
const minIntervalMs = 2.2;
const haste = 4;
const turning = 60;
const zooming = 1.1;

const walks: Readonly<Record<string, Partial<HeldMotion>>> = {
  w: { ahead: minIntervalMs },
  s: { ahead: -minIntervalMs },
  a: { right: -minIntervalMs },
  d: { right: minIntervalMs },
  e: { up: minIntervalMs },
  q: { up: -minIntervalMs },
  pageup: { up: minIntervalMs },
  pagedown: { up: -minIntervalMs },
  arrowup: { ahead: minIntervalMs },
  arrowdown: { ahead: -minIntervalMs },
  arrowleft: { pan: -turning },
  arrowright: { pan: turning },
  r: { tilt: turning / 2 },
  f: { tilt: -turning / 2 },
  '+': { zoom: -zooming },
  '=': { zoom: -zooming },
  '-': { zoom: zooming },
  _: { zoom: zooming },
};

/** In orbit mode the arrows rotate around the target. */
const orbits: Readonly<Record<string, Partial<HeldMotion>>> = {
  arrowup: { tilt: -turning / 2 },
  arrowdown: { tilt: turning / 2 },
  arrowleft: { pan: turning },
  arrowright: { pan: -turning },
};

/** Moves a camera while keys are held, until the focus leaves. Returns the function that stops it. */
export function listenToKeys(
  host: HTMLElement,
  walk: EasedCameraController,
  { changed, home }: Pick<WalkListener, 'changed' | 'home'>,
): () => void {
  const onChanged = (held: ReadonlySet<string>, fast: boolean): void => {
    const sum = { ahead: 0, right: 0, up: 0, pan: 0, tilt: 0, zoom: 0 };
    for (const key of held) {
      const motion = (walk.mode === 'orbit' ? orbits[key] : undefined) ?? walks[key] ?? {};
      for (const [axis, value] of Object.entries(motion) as [keyof HeldMotion, number][]) sum[axis] += value;
    }
    const factor = fast ? haste : 1;
    walk.hold({ ...sum, ahead: sum.ahead * factor, right: sum.right * factor, up: sum.up * factor });
    changed();
  };
  return listenToHeldKeys(host, { isTaken: (key) => key in walks, changed: onChanged, home });
}
