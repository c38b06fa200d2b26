import { useEffect, useRef, type RefObject } from 'react';
import { moveWindow, zoomWindow, type PictureWindow } from './picture-window.ts';

export type SetWindow = (next: PictureWindow | ((window: PictureWindow) => PictureWindow)) => void;
export type WindowKeys = Readonly<Record<string, (window: PictureWindow) => PictureWindow>>;

/** The zoom factor of one key press. */
const zoomStep = 1.5;
/** The distance of one key press, as a fraction of the visible part. */
const moveStep = 0.25;
/** The changes of the window by keys, while the picture or a button in it has the focus. */
export const windowKeys: WindowKeys = {
  '+': (window) => zoomWindow(window, zoomStep),
  '-': (window) => zoomWindow(window, 1 / zoomStep),
  ArrowLeft: (window) => moveWindow(window, -moveStep, 0),
  ArrowRight: (window) => moveWindow(window, moveStep, 0),
  ArrowUp: (window) => moveWindow(window, 0, -moveStep),
  ArrowDown: (window) => moveWindow(window, 0, moveStep),
};
/** A pointer that moves farther than this drags the picture instead of clicking. */
const maxClickMovePx = 4;

/**
 * Zooms by the wheel, two fingers and keys, and moves by one pointer and keys. A move suppresses the click at its end.
 *
 * `keys` and `ignoresPointer` must be the same in each render, or the listeners are attached again.
 *
 * @param ignoresPointer whether a pointer that goes down on the target does not move the picture
 */
export function usePictureGestures(
  element: RefObject<HTMLElement | null>,
  setWindow: SetWindow,
  keys: WindowKeys,
  ignoresPointer?: (target: EventTarget | null) => boolean,
): void {
  const set = useRef(setWindow);
  useEffect(() => {
    set.current = setWindow;
  });
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const pointers = new Map<number, { x: number; y: number }>();
    let movedPx = 0;
    const toFraction = (x: number, y: number): { readonly x: number; readonly y: number } => {
      const box = current.getBoundingClientRect();
      return { x: (x - box.left) / Math.max(1, box.width), y: (y - box.top) / Math.max(1, box.height) };
    };
    current.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        event.stopPropagation();
        set.current((window) => zoomWindow(window, 1.0015 ** -event.deltaY, toFraction(event.clientX, event.clientY)));
      },
      { signal, passive: false },
    );
    current.addEventListener(
      'keydown',
      (event) => {
        const change = keys[event.key];
        // The browser zooms and goes back by the same keys with modifiers.
        if (!change || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        set.current(change);
        // A focused button that moves out of view is removed. The picture takes the focus so that the keys still work.
        requestAnimationFrame(() => {
          if (document.activeElement === document.body) current.focus();
        });
      },
      { signal },
    );
    current.addEventListener(
      'pointerdown',
      ({ pointerId, clientX: x, clientY: y, target }) => {
        if (pointers.size === 0) movedPx = 0;
        if (ignoresPointer?.(target)) return;
        pointers.set(pointerId, { x, y });
      },
      { signal },
    );
    current.addEventListener(
      'pointermove',
      (event) => {
        const previous = pointers.get(event.pointerId);
        if (!previous) return;
        // The pointer was released outside of the picture.
        if (event.buttons === 0) return void pointers.delete(event.pointerId);
        const movedPointer = { x: event.clientX, y: event.clientY };
        movedPx += Math.hypot(movedPointer.x - previous.x, movedPointer.y - previous.y);
        pointers.set(event.pointerId, movedPointer);
        if (movedPx <= maxClickMovePx) return;
        if (!current.hasPointerCapture(event.pointerId)) current.setPointerCapture(event.pointerId);
        const otherPointer = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        const [from, to] = [toFraction(previous.x, previous.y), toFraction(movedPointer.x, movedPointer.y)];
        set.current((window) => {
          if (!otherPointer) return moveWindow(window, from.x - to.x, from.y - to.y);
          const distanceBefore = Math.hypot(previous.x - otherPointer.x, previous.y - otherPointer.y);
          const distanceAfter = Math.hypot(movedPointer.x - otherPointer.x, movedPointer.y - otherPointer.y);
          return zoomWindow(
            window,
            distanceAfter / Math.max(1, distanceBefore),
            toFraction(otherPointer.x, otherPointer.y),
          );
        });
      },
      { signal },
    );
    for (const type of ['pointerup', 'pointercancel'] as const)
      current.addEventListener(type, ({ pointerId }) => pointers.delete(pointerId), { signal });
    current.addEventListener(
      'click',
      (event) => {
        if (movedPx <= maxClickMovePx || event.detail === 0) return;
        event.preventDefault();
        event.stopPropagation();
      },
      { signal, capture: true },
    );
    return () => abort.abort();
  }, [element, keys, ignoresPointer]);
}
