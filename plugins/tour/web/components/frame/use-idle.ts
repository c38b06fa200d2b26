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
    const withoutHover = window.matchMedia('(hover: none)');
    let timer: ReturnType<typeof setTimeout>;
    let faded = false;
    let fadedOnPress = false;
    let wokenByTouch = false;
    const setFaded = (next: boolean): void => {
      faded = next;
      setIdle(next);
    };
    const handleTimeout = (): void => {
      if (withoutHover.matches || frame.current?.querySelector(':focus-visible, [aria-expanded="true"]'))
        timer = setTimeout(handleTimeout, idleAfterMs);
      else setFaded(true);
    };
    const handleInput = (event?: Event): void => {
      // `pointerdown` comes before `touchstart`.
      if (event?.type === 'pointerdown') fadedOnPress = faded;
      if (event?.type === 'touchstart') wokenByTouch = fadedOnPress;
      clearTimeout(timer);
      setFaded(false);
      timer = setTimeout(handleTimeout, idleAfterMs);
    };
    const handleClick = (event: MouseEvent): void => {
      if (wokenByTouch && event.target instanceof Node && frame.current?.contains(event.target)) {
        event.preventDefault();
        event.stopPropagation();
      }
      wokenByTouch = false;
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
