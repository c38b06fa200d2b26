import type { WalkListener } from '#plugins/tour';
import { listenToHeldKeys } from '../input/held-keys.ts';
import type { EasedCameraController, HeldMotion } from './eased-camera-controller.ts';

/** Metres per second, and the factor with Shift. */
const metresPerSecond = 2.2;
const fastFactor = 4;
const turnSpeed = 60;
const zoomSpeed = 1.1;

const walks: Readonly<Record<string, Partial<HeldMotion>>> = {
  w: { ahead: metresPerSecond },
  s: { ahead: -metresPerSecond },
  a: { right: -metresPerSecond },
  d: { right: metresPerSecond },
  e: { up: metresPerSecond },
  q: { up: -metresPerSecond },
  pageup: { up: metresPerSecond },
  pagedown: { up: -metresPerSecond },
  arrowup: { ahead: metresPerSecond },
  arrowdown: { ahead: -metresPerSecond },
  arrowleft: { pan: -turnSpeed },
  arrowright: { pan: turnSpeed },
  r: { tilt: turnSpeed / 2 },
  f: { tilt: -turnSpeed / 2 },
  '+': { zoom: -zoomSpeed },
  '=': { zoom: -zoomSpeed },
  '-': { zoom: zoomSpeed },
  _: { zoom: zoomSpeed },
};

/** In orbit mode the arrows rotate around the target. */
const orbits: Readonly<Record<string, Partial<HeldMotion>>> = {
  arrowup: { tilt: -turnSpeed / 2 },
  arrowdown: { tilt: turnSpeed / 2 },
  arrowleft: { pan: turnSpeed },
  arrowright: { pan: -turnSpeed },
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
    const factor = fast ? fastFactor : 1;
    walk.setHeldMotion({ ...sum, ahead: sum.ahead * factor, right: sum.right * factor, up: sum.up * factor });
    changed();
  };
  return listenToHeldKeys(host, { isTaken: (key) => key in walks, changed: onChanged, home });
}
