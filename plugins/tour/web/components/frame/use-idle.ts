import { useEffect, useState, type RefObject } from 'react';

/** Milliseconds without input until overlays on the picture fade. */
export const idleAfterMs = 4_000;

const inputEvents = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focusin'] as const;

/**
 * True after some time without input. Never true while an element in `frame` has keyboard focus or an open menu, or on
 * a device without a mouse. A touch that ends the idle time does not activate elements in `frame`.
 */
export function useIdle(frame: RefObject<HTMLElement | null>): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const noHoverQuery = window.matchMedia('(hover: none)');
    let timer: ReturnType<typeof setTimeout>;
    let faded = false;
    let wasFadedOnPress = false;
    let idleEndedByTouch = false;
    const setFaded = (next: boolean): void => {
      faded = next;
      setIdle(next);
    };
    const handleTimeout = (): void => {
      if (noHoverQuery.matches || frame.current?.querySelector(':focus-visible, [aria-expanded="true"]'))
        timer = setTimeout(handleTimeout, idleAfterMs);
      else setFaded(true);
    };
    const handleInput = (event?: Event): void => {
      // `pointerdown` comes before `touchstart`.
      if (event?.type === 'pointerdown') wasFadedOnPress = faded;
      if (event?.type === 'touchstart') idleEndedByTouch = wasFadedOnPress;
      clearTimeout(timer);
      setFaded(false);
      timer = setTimeout(handleTimeout, idleAfterMs);
    };
    const handleClick = (event: MouseEvent): void => {
      if (idleEndedByTouch && event.target instanceof Node && frame.current?.contains(event.target)) {
        event.preventDefault();
        event.stopPropagation();
      }
      idleEndedByTouch = false;
    };
    handleInput();
    window.addEventListener('click', handleClick, { capture: true });
    for (const inputEvent of inputEvents)
      window.addEventListener(inputEvent, handleInput, { passive: true, capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('click', handleClick, { capture: true });
      for (const inputEvent of inputEvents) window.removeEventListener(inputEvent, handleInput, { capture: true });
    };
  }, [frame]);
  return idle;
}
