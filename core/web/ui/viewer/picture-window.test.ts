import { describe, expect, it } from 'vitest';
import { fromWindow, maxZoom, moveWindow, showInWindow, toWindow, wholePicture, zoomWindow } from './picture-window.ts';

describe('the window of a picture', () => {
  it('keeps the point under the pointer in its place while it zooms', () => {
    const first = zoomWindow(wholePicture, 4, { x: 0.3, y: 0.6 });
    const point = { x: 0.3, y: 0.6 };
    expect(toWindow(first, point).x).toBeCloseTo(0.3, 9);
    const second = zoomWindow(first, 2, { x: 0.9, y: 0.1 });
    const fixedPoint = { x: first.x + 0.4 / first.zoom, y: first.y - 0.4 / first.zoom };
    expect(toWindow(second, fixedPoint).x).toBeCloseTo(0.9, 9);
    expect(toWindow(second, fixedPoint).y).toBeCloseTo(0.1, 9);
  });

  it('converts points in both directions, and moves as little as necessary to contain a point', () => {
    const window = { zoom: 4, x: 0.5, y: 0.5 };
    expect(fromWindow(window, toWindow(window, { x: 0.6, y: 0.45 }))).toEqual({ x: 0.6, y: 0.45 });
    expect(showInWindow(window, { x: 0.6, y: 0.45 })).toEqual(window);
    const movedWindow = showInWindow(window, { x: 0.7, y: 0.5 });
    expect(toWindow(movedWindow, { x: 0.7, y: 0.5 }).x).toBeCloseTo(0.95, 9);
    expect(movedWindow.y).toBe(0.5);
  });

  it('stays within the picture and the limits of the zoom', () => {
    expect(moveWindow(wholePicture, 1, -1)).toEqual(wholePicture);
    expect(moveWindow({ zoom: 2, x: 0.5, y: 0.5 }, 5, 0)).toEqual({ zoom: 2, x: 0.75, y: 0.5 });
    expect(zoomWindow(wholePicture, 1e9).zoom).toBe(maxZoom);
    expect(zoomWindow(zoomWindow(wholePicture, 8, { x: 1, y: 1 }), 1e-9)).toEqual(wholePicture);
  });
});
