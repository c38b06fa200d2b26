import { listenToHeldKeys } from './held-keys.ts';
import type { InputTarget } from './pointer-input.ts';

/** Degrees per second at a field of view of 75. A narrower field turns slower. */
const turnSpeed = 70;
/** Share of the field of view per second. */
const zoomSpeed = 1.1;

const turns: Readonly<Record<string, { readonly pan: number; readonly tilt: number; readonly fov: number }>> = {
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
 * Held arrows turn, plus and minus zoom, Home calls `home`, while the host or a pin has the focus. Returns the function
 * that stops it.
 */
export function listenToKeys(host: HTMLElement, target: InputTarget, home: () => void): () => void {
  const changed = (held: ReadonlySet<string>): void => {
    const scale = target.motion.view.fov / 75;
    let pan = 0;
    let tilt = 0;
    let fov = 0;
    for (const key of held) {
      const turn = turns[key];
      if (!turn) continue;
      pan += turn.pan * turnSpeed * scale;
      tilt += turn.tilt * turnSpeed * scale;
      fov += turn.fov * zoomSpeed;
    }
    target.motion.turnSteadily({ pan, tilt, fov });
    target.changed();
  };
  return listenToHeldKeys(host, { isTaken: (key) => key in turns, changed, home });
}
