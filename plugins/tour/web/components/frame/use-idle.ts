import { useEffect, useState, type RefObject } from 'react';

/** Milliseconds without input until overlays on the picture fade. */
export const idleAfterMs = 4_000;

const inputEvents = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin'] as const;

/** True after some time without input. Never true while an element in `frame` has keyboard focus or an open menu. */
export function useIdle(frame: RefObject<HTMLElement | null>): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const handleTimeout = (): void => {
      if (frame.current?.querySelector(':focus-visible, [aria-expanded="true"]'))
        timer = setTimeout(handleTimeout, idleAfterMs);
      else setIdle(true);
    };
    const handleInput = (): void => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(handleTimeout, idleAfterMs);
    };
    handleInput();
    for (const inputEvent of inputEvents) window.addEventListener(inputEvent, handleInput, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const inputEvent of inputEvents) window.removeEventListener(inputEvent, handleInput);
    };
  }, [frame]);
  return idle;
}
