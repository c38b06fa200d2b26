import { useEffect } from 'react';
import { isInOverlay, isModalOpen } from '#core/ui';
import { useService } from '#core/web';
import type { ViewSurface } from '#plugins/tour';
import { InputStore, toDevice } from './input-store.ts';
import type { SurfaceTool } from './surface-tool.ts';

/**
 * Limits of a click. A longer move turns the view, and a longer touch is not a tap. A mouse has no time limit, because
 * a busy machine reports its button late.
 */
const maxClickMovePx = 6;
const maxTapMs = 600;
const maxDoubleClickMs = 350;

/** The key that disables snapping. */
const noSnapKey = 'Shift';

/**
 * Connects pointer and keys to the active tool. Clicks, taps and Enter add points; a repeated click or Enter finishes.
 * Escape steps back, and Ctrl+Z removes a point. Keys apply to the `main` surface, which gets the focus if the tool was
 * started by keyboard. Returns whether the crosshair is shown. Call it in an observer.
 */
export function useSurfaceInput(surface: ViewSurface, tool: SurfaceTool, active: boolean, main: boolean): boolean {
  const input = useService(InputStore);
  const { device, focusRequested } = input;
  useEffect(() => (active ? listenToPointer(surface, tool, input) : undefined), [surface, tool, input, active]);
  useEffect(
    () => (active && main ? listenToKeys(surface, tool, input) : undefined),
    [surface, tool, input, active, main],
  );
  useEffect(() => {
    if (!active || !main) return;
    input.setPicture(surface.host);
    if (focusRequested && input.consumeFocusRequest()) surface.host.focus({ preventScroll: true });
  }, [surface, input, active, main, focusRequested]);
  return active && main && device === 'keyboard';
}

function listenToPointer(surface: ViewSurface, tool: SurfaceTool, input: InputStore): () => void {
  const { host } = surface;
  const abortController = new AbortController();
  const options = { capture: true, signal: abortController.signal } as const;
  let pressStart: { readonly id: number; readonly x: number; readonly y: number; readonly at: number } | undefined;
  let lastClick: { readonly x: number; readonly y: number; readonly at: number } | undefined;
  let isTap = false;
  let hoverPixel: { readonly x: number; readonly y: number } | undefined;
  const hoverAt = (pixel: { readonly x: number; readonly y: number }, snapDisabled: boolean): void => {
    hoverPixel = pixel;
    void tool.hoverAtPixel(surface, pixel.x, pixel.y, { snapDisabled });
  };
  const toHostPixel = ({ clientX, clientY }: MouseEvent): { readonly x: number; readonly y: number } => {
    const { left, top } = host.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  host.addEventListener(
    'pointerdown',
    (event) => {
      input.setDevice(toDevice(event.pointerType));
      pressStart =
        event.button === 0 && event.isPrimary
          ? { id: event.pointerId, ...toHostPixel(event), at: event.timeStamp }
          : undefined;
      // A finger cannot hover, so a touch shows the snap target.
      if (pressStart && event.pointerType === 'touch') hoverAt(pressStart, event.shiftKey);
    },
    options,
  );
  host.addEventListener(
    'pointerup',
    (event) => {
      const start = pressStart;
      pressStart = undefined;
      const { x, y } = toHostPixel(event);
      if (
        !start ||
        start.id !== event.pointerId ||
        Math.hypot(x - start.x, y - start.y) > maxClickMovePx ||
        (event.pointerType !== 'mouse' && event.timeStamp - start.at > maxTapMs)
      ) {
        if (event.pointerType === 'touch') clearHover();
        return;
      }
      const isDoubleClick =
        lastClick &&
        event.timeStamp - lastClick.at < maxDoubleClickMs &&
        Math.hypot(x - lastClick.x, y - lastClick.y) <= maxClickMovePx;
      lastClick = { x, y, at: event.timeStamp };
      // The click must not select an object of a model.
      event.preventDefault();
      isTap = event.pointerType === 'touch';
      if (isDoubleClick && tool.points.length > 0) tool.complete();
      else void tool.addPointAtPixel(surface, x, y, { snapDisabled: event.shiftKey });
    },
    options,
  );
  host.addEventListener(
    'touchend',
    (event) => {
      // The mouse events that follow a tap would take the focus from the form that the tap opened.
      if (isTap) event.preventDefault();
      isTap = false;
    },
    { ...options, passive: false },
  );
  host.addEventListener(
    'pointermove',
    (event) => {
      if (pressStart === undefined && event.pointerType !== 'touch') hoverAt(toHostPixel(event), event.shiftKey);
    },
    options,
  );
  const clearHover = (): void => {
    hoverPixel = undefined;
    tool.clearHover();
  };
  host.addEventListener('pointerleave', clearHover, { signal: abortController.signal });
  host.addEventListener('pointercancel', clearHover, { signal: abortController.signal });
  // The snap preview updates as soon as the key is pressed or released.
  for (const type of ['keydown', 'keyup'] as const)
    window.addEventListener(
      type,
      (event) => {
        if (event.key === noSnapKey && hoverPixel) hoverAt(hoverPixel, type === 'keydown');
      },
      options,
    );
  for (const type of ['click', 'dblclick'] as const) {
    host.addEventListener(
      type,
      (event) => {
        event.stopPropagation();
        event.preventDefault();
      },
      options,
    );
  }
  return () => abortController.abort();
}

function listenToKeys(surface: ViewSurface, tool: SurfaceTool, input: InputStore): () => void {
  let snapDisabled = false;
  const hoverInMiddle = (): void => {
    const { width, height } = surface.host.getBoundingClientRect();
    if (input.device === 'keyboard') void tool.hoverAtPixel(surface, width / 2, height / 2, { snapDisabled });
  };
  const aimByKeyboard = (): void => {
    input.setDevice('keyboard');
    hoverInMiddle();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (isModalOpen()) return;
    const { key, target } = event;
    const inside = target instanceof Node && (surface.host.contains(target) || target === document.body);
    const withControl = event.ctrlKey || event.metaKey;
    if (key === noSnapKey) {
      snapDisabled = true;
      hoverInMiddle();
    } else if (
      key === 'Escape' &&
      !isInOverlay(target) &&
      !(target instanceof Element && target.closest('input, textarea'))
    ) {
      // The key must not also close the panel.
      event.stopPropagation();
      event.preventDefault();
      tool.cancel();
      if (tool.kind === undefined) input.restoreFocus();
    } else if (
      withControl &&
      key.toLowerCase() === 'z' &&
      !(target instanceof Element && target.closest('input, textarea'))
    ) {
      event.preventDefault();
      tool.undo();
    } else if (inside && key.startsWith('Arrow')) aimByKeyboard();
    else if (inside && key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      // The key that chose the tool may still be pressed.
      if (event.repeat) return;
      const { width, height } = surface.host.getBoundingClientRect();
      const [x, y] = [width / 2, height / 2];
      const lastPoint = tool.points.at(-1);
      const pixel = lastPoint && surface.toPixel(lastPoint.point);
      const isSamePoint = pixel && Math.hypot(pixel.x - x, pixel.y - y) <= maxClickMovePx;
      if (input.device !== 'keyboard' && tool.points.length > 0) tool.complete();
      else if (isSamePoint) tool.complete();
      else {
        aimByKeyboard();
        void tool.addPointAtPixel(surface, x, y, { snapDisabled: event.shiftKey });
      }
    }
  };
  const onKeyUp = ({ key }: KeyboardEvent): void => {
    if (key !== noSnapKey) return;
    snapDisabled = false;
    hoverInMiddle();
  };
  window.addEventListener('keydown', onKey, true);
  window.addEventListener('keyup', onKeyUp, true);
  const unsubscribe = surface.onChanged(hoverInMiddle);
  hoverInMiddle();
  return () => {
    unsubscribe();
    window.removeEventListener('keydown', onKey, true);
    window.removeEventListener('keyup', onKeyUp, true);
  };
}
