import type { InputTarget } from './pointer-input.ts';

/** Degrees a second at a field of view of 75; a turn is slower where one looks closely. */
const turning = 70;
/** Share of the field of view a second. */
const zooming = 1.1;

const turns: Readonly<Record<string, { readonly pan: number; readonly tilt: number; readonly fov: number }>> = {
  ArrowLeft: { pan: -1, tilt: 0, fov: 0 },
  ArrowRight: { pan: 1, tilt: 0, fov: 0 },
  ArrowUp: { pan: 0, tilt: 1, fov: 0 },
  ArrowDown: { pan: 0, tilt: -1, fov: 0 },
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
  const held = new Set<string>();

  const apply = (): void => {
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

  const onDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Home') {
      event.preventDefault();
      home();
      return;
    }
    if (!turns[event.key]) return;
    event.preventDefault();
    if (held.has(event.key)) return;
    held.add(event.key);
    apply();
  };
  const onUp = (event: KeyboardEvent): void => {
    if (held.delete(event.key)) apply();
  };
  const release = (): void => {
    if (held.size === 0) return;
    held.clear();
    apply();
  };
  /** A pin that turns out of sight hands the focus to the host while the key is held. */
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && host.contains(relatedTarget))) release();
  };

  const ends = new AbortController();
  const { signal } = ends;
  host.addEventListener('keydown', onDown, { signal });
  host.addEventListener('keyup', onUp, { signal });
  host.addEventListener('focusout', onBlur, { signal });
  return () => {
    ends.abort();
    release();
  };
}
