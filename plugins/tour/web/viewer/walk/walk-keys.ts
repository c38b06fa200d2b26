import type { CameraListener } from '#plugins/tour';
import { listenToHeldKeys } from '../input/held-keys.ts';
import type { EasedCameraController, HeldMotion } from './eased-camera-controller.ts';

/** Metres per second. */
const walkSpeed = 2.2;
/** Factor of the speed with Shift. */
const fastFactor = 4;
/** Degrees per second. */
const turnSpeed = 60;
/** Exponent of the change of the field of view per second. */
const zoomSpeed = 1.1;

const walkMotions: Readonly<Record<string, Partial<HeldMotion>>> = {
  w: { forward: walkSpeed },
  s: { forward: -walkSpeed },
  a: { right: -walkSpeed },
  d: { right: walkSpeed },
  e: { up: walkSpeed },
  q: { up: -walkSpeed },
  pageup: { up: walkSpeed },
  pagedown: { up: -walkSpeed },
  arrowup: { forward: walkSpeed },
  arrowdown: { forward: -walkSpeed },
  arrowleft: { pan: -turnSpeed },
  arrowright: { pan: turnSpeed },
  r: { tilt: turnSpeed / 2 },
  f: { tilt: -turnSpeed / 2 },
  '+': { zoom: -zoomSpeed },
  '=': { zoom: -zoomSpeed },
  '-': { zoom: zoomSpeed },
  _: { zoom: zoomSpeed },
};

/** In orbit mode the arrow keys rotate around the target. */
const orbitMotions: Readonly<Record<string, Partial<HeldMotion>>> = {
  arrowup: { tilt: -turnSpeed / 2 },
  arrowdown: { tilt: turnSpeed / 2 },
  arrowleft: { pan: turnSpeed },
  arrowright: { pan: -turnSpeed },
};

/** Moves a camera while keys are held and the host has the focus. Returns the function that stops it. */
export function listenToKeys(
  host: HTMLElement,
  controller: EasedCameraController,
  { onChange, onHome }: Pick<CameraListener, 'onChange' | 'onHome'>,
): () => void {
  const handleChange = (heldKeys: ReadonlySet<string>, fast: boolean): void => {
    const sum = { forward: 0, right: 0, up: 0, pan: 0, tilt: 0, zoom: 0 };
    for (const key of heldKeys) {
      const motion = (controller.mode === 'orbit' ? orbitMotions[key] : undefined) ?? walkMotions[key] ?? {};
      for (const [axis, value] of Object.entries(motion) as [keyof HeldMotion, number][]) sum[axis] += value;
    }
    const factor = fast ? fastFactor : 1;
    controller.setHeldMotion(
      { ...sum, forward: sum.forward * factor, right: sum.right * factor, up: sum.up * factor },
      performance.now(),
    );
    onChange();
  };
  return listenToHeldKeys(host, { isHandled: (key) => key in walkMotions, onChange: handleChange, onHome });
}
