import { useEffect, useState, type RefObject } from 'react';

/** Milliseconds without input until overlays on the picture fade. */
export const idleAfterMs = 4_000;

const inputs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin'] as const;

/** True after a while without input, but never while an element inside `keeps` has keyboard focus. */
export function useIdle(keeps: RefObject<HTMLElement | null>): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const rest = (): void => {
      if (keeps.current?.querySelector(':focus-visible, [aria-expanded="true"]')) timer = setTimeout(rest, idleAfterMs);
      else setIdle(true);
    };
    const stir = (): void => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(rest, idleAfterMs);
    };
    stir();
    for (const input of inputs) window.addEventListener(input, stir, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const input of inputs) window.removeEventListener(input, stir);
    };
  }, [keeps]);
  return idle;
}
