import { listenToHeldKeys } from './held-keys.ts';
import type { InputTarget } from './pointer-input.ts';

/** Degrees a second at a field of view of 75; a turn is slower where one looks closely. */
const turning = 70;
/** Share of the field of view a second. */
const zooming = 1.1;

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
 * While held: arrows turn, plus and minus zoom. Home goes to `home`. Heard while the host itself or a pin has the
 * focus. Returns the way out.
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
      pan += turn.pan * turning * scale;
      tilt += turn.tilt * turning * scale;
      fov += turn.fov * zooming;
    }
    target.motion.turnSteadily({ pan, tilt, fov });
    target.changed();
  };
  return listenToHeldKeys(host, { isTaken: (key) => key in turns, changed, home });
}
