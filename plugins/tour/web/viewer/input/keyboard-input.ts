import { listenToHeldKeys } from './held-keys.ts';
import type { InputTarget } from './pointer-input.ts';

/** Degrees per second at a field of view of 75 degrees. A narrower field of view turns more slowly. */
const turnSpeed = 70;
/** Fraction of the field of view per second. */
const zoomSpeed = 1.1;

const keyDirections: Readonly<Record<string, { readonly pan: number; readonly tilt: number; readonly fov: number }>> = {
  arrowleft: { pan: -1, tilt: 0, fov: 0 },
  arrowright: { pan: 1, tilt: 0, fov: 0 },
  arrowup: { pan: 0, tilt: 1, fov: 0 },
  arrowdown: { pan: 0, tilt: -1, fov: 0 },
  '+': { pan: 0, tilt: 0, fov: -1 },
  '=': { pan: 0, tilt: 0, fov: -1 },
  '-': { pan: 0, tilt: 0, fov: 1 },
  _: { pan: 0, tilt: 0, fov: 1 },
};

/**
 * Turns the view while arrow keys are held and zooms with plus and minus. Home calls `onHome`. Listens while the host
 * or a pin has the focus. Returns the function that stops it.
 */
export function listenToKeys(host: HTMLElement, target: InputTarget, onHome: () => void): () => void {
  const handleChange = (heldKeys: ReadonlySet<string>): void => {
    const scale = target.motion.view.fov / 75;
    let pan = 0;
    let tilt = 0;
    let fov = 0;
    for (const key of heldKeys) {
      const keyDirection = keyDirections[key];
      if (!keyDirection) continue;
      pan += keyDirection.pan * turnSpeed * scale;
      tilt += keyDirection.tilt * turnSpeed * scale;
      fov += keyDirection.fov * zoomSpeed;
    }
    target.motion.turnSteadily({ pan, tilt, fov }, performance.now());
    target.onChange();
  };
  return listenToHeldKeys(host, { isHandled: (key) => key in keyDirections, onChange: handleChange, onHome });
}
