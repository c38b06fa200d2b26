import { useEffect, useState } from 'react';
import type { ViewSurface } from '#plugins/tour';
import type { SurfaceTool } from './surface-tool.ts';

/**
 * Limits of a click: a longer move turns the view, and a longer touch is no tap. A mouse has no time limit, because a
 * busy machine reports its button late.
 */
const clickReach = 6;
const clickTime = 600;
const doubleTime = 350;

/** The key that disables snapping. */
const freeKey = 'Shift';

/**
 * Input of the active tool: clicks and taps become points, a double click ends, hotspots below get no clicks. Enter
 * adds the point under the crosshair, and again ends; Escape steps back, Ctrl+Z removes a point. `main` is the surface
 * for keys. Returns whether the crosshair shows.
 */
export function useSurfaceInput(surface: ViewSurface, tool: SurfaceTool, active: boolean, main: boolean): boolean {
  const [byKeys, setByKeys] = useState(false);
  useEffect(
    () => (active ? listenToPointer(surface, tool, () => setByKeys(false)) : undefined),
    [surface, tool, active],
  );
  useEffect(() => (active && main ? listenToKeys(surface, tool, setByKeys) : undefined), [surface, tool, active, main]);
  return active && main && byKeys;
}

function listenToPointer(surface: ViewSurface, tool: SurfaceTool, onPointer: () => void): () => void {
  const { host } = surface;
  const ending = new AbortController();
  const options = { capture: true, signal: ending.signal } as const;
  let pressed: { readonly id: number; readonly x: number; readonly y: number; readonly at: number } | undefined;
  let last: { readonly x: number; readonly y: number; readonly at: number } | undefined;
  let hovered: { readonly x: number; readonly y: number } | undefined;
  const hoverAt = (place: { readonly x: number; readonly y: number }, free: boolean): void => {
    hovered = place;
    void tool.hoverAt(surface, place.x, place.y, { free });
  };
  const toPixelPlace = ({ clientX, clientY }: MouseEvent): { readonly x: number; readonly y: number } => {
    const { left, top } = host.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  host.addEventListener(
    'pointerdown',
    (event) => {
      onPointer();
      pressed =
        event.button === 0 && event.isPrimary
          ? { id: event.pointerId, ...toPixelPlace(event), at: event.timeStamp }
          : undefined;
      // A finger does not hover before it touches.
      if (pressed && event.pointerType === 'touch') hoverAt(pressed, event.shiftKey);
    },
    options,
  );
  host.addEventListener(
    'pointerup',
    (event) => {
      const start = pressed;
      pressed = undefined;
      const { x, y } = toPixelPlace(event);
      if (
        !start ||
        start.id !== event.pointerId ||
        Math.hypot(x - start.x, y - start.y) > clickReach ||
        (event.pointerType !== 'mouse' && event.timeStamp - start.at > clickTime)
      ) {
        if (event.pointerType === 'touch') leave();
        return;
      }
      const again = last && event.timeStamp - last.at < doubleTime && Math.hypot(x - last.x, y - last.y) <= clickReach;
      last = { x, y, at: event.timeStamp };
      // Keeps objects of a model from being selected.
      event.preventDefault();
      if (again && tool.points.length > 0) tool.finish();
      else void tool.addAt(surface, x, y, { free: event.shiftKey });
    },
    options,
  );
  host.addEventListener(
    'pointermove',
    (event) => {
      if (pressed === undefined && event.pointerType !== 'touch') hoverAt(toPixelPlace(event), event.shiftKey);
    },
    options,
  );
  const leave = (): void => {
    hovered = undefined;
    tool.leave();
  };
  host.addEventListener('pointerleave', leave, { signal: ending.signal });
  host.addEventListener('pointercancel', leave, { signal: ending.signal });
  // The snap preview updates as soon as the key is pressed or released.
  for (const type of ['keydown', 'keyup'] as const)
    window.addEventListener(
      type,
      (event) => {
        if (event.key === freeKey && hovered) hoverAt(hovered, type === 'keydown');
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
  return () => ending.abort();
}

function listenToKeys(surface: ViewSurface, tool: SurfaceTool, setByKeys: (byKeys: boolean) => void): () => void {
  let byKeys = false;
  let free = false;
  const hoverInMiddle = (): void => {
    const { width, height } = surface.host.getBoundingClientRect();
    if (byKeys) void tool.hoverAt(surface, width / 2, height / 2, { free });
  };
  const setKeys = (keys: boolean): void => {
    byKeys = keys;
    setByKeys(keys);
    hoverInMiddle();
  };
  const onKey = (event: KeyboardEvent): void => {
    const { key, target } = event;
    const inside = target instanceof Node && (surface.host.contains(target) || target === document.body);
    const withControl = event.ctrlKey || event.metaKey;
    if (key === freeKey) {
      free = true;
      hoverInMiddle();
    } else if (
      key === 'Escape' &&
      !(target instanceof Element && target.closest('[role="menu"], [role="dialog"], input, textarea'))
    ) {
      // Otherwise the same key would close the panel around the picture.
      event.stopPropagation();
      event.preventDefault();
      tool.cancel();
    } else if (
      withControl &&
      key.toLowerCase() === 'z' &&
      !(target instanceof Element && target.closest('input, textarea'))
    ) {
      event.preventDefault();
      tool.undo();
    } else if (inside && key.startsWith('Arrow')) setKeys(true);
    else if (inside && key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      const { width, height } = surface.host.getBoundingClientRect();
      const [x, y] = [width / 2, height / 2];
      const last = tool.points.at(-1);
      const pixel = last && surface.toPixel(last.point);
      const same = pixel && Math.hypot(pixel.x - x, pixel.y - y) <= clickReach;
      if (!byKeys && tool.points.length > 0) tool.finish();
      else if (same) tool.finish();
      else {
        setKeys(true);
        void tool.addAt(surface, x, y, { free: event.shiftKey });
      }
    }
  };
  const onKeyUp = ({ key }: KeyboardEvent): void => {
    if (key !== freeKey) return;
    free = false;
    hoverInMiddle();
  };
  const onPointer = (): void => setKeys(false);
  window.addEventListener('keydown', onKey, true);
  window.addEventListener('keyup', onKeyUp, true);
  surface.host.addEventListener('pointerdown', onPointer, true);
  const offChanged = surface.onChanged(hoverInMiddle);
  return () => {
    offChanged();
    window.removeEventListener('keydown', onKey, true);
    window.removeEventListener('keyup', onKeyUp, true);
    surface.host.removeEventListener('pointerdown', onPointer, true);
  };
}
