import { clamp } from '#core';

/** The visible part of a picture. */
export interface PictureWindow {
  /** 1 shows the whole picture. */
  readonly zoom: number;
  /** Centre, fractions of the picture's width and height from the left and the top. */
  readonly x: number;
  readonly y: number;
}

export const wholePicture: PictureWindow = { zoom: 1, x: 0.5, y: 0.5 };
export const maxZoom = 40;

/** Keeps the window within the picture. */
export function limitWindow({ zoom, x, y }: PictureWindow): PictureWindow {
  const limitedZoom = clamp(zoom, 1, maxZoom);
  const half = 0.5 / limitedZoom;
  return { zoom: limitedZoom, x: clamp(x, half, 1 - half), y: clamp(y, half, 1 - half) };
}

/** Zooms by a factor so that a point of the window stays in its place. `at` is in fractions of the window. */
export function zoomWindow(
  window: PictureWindow,
  factor: number,
  at: { readonly x: number; readonly y: number } = { x: 0.5, y: 0.5 },
): PictureWindow {
  const zoom = clamp(window.zoom * factor, 1, maxZoom);
  const shift = 1 / window.zoom - 1 / zoom;
  return limitWindow({ zoom, x: window.x + (at.x - 0.5) * shift, y: window.y + (at.y - 0.5) * shift });
}

/** Moves the window by fractions of its own width and height. */
export const moveWindow = (window: PictureWindow, right: number, down: number): PictureWindow =>
  limitWindow({ ...window, x: window.x + right / window.zoom, y: window.y + down / window.zoom });

/** Converts a point of the picture to fractions of the window. Points outside of it are below 0 or above 1. */
export const toWindow = (
  { zoom, x: centreX, y: centreY }: PictureWindow,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number } => ({
  x: 0.5 + (x - centreX) * zoom,
  y: 0.5 + (y - centreY) * zoom,
});

/** The inverse of `toWindow`. */
export const fromWindow = (
  { zoom, x: centreX, y: centreY }: PictureWindow,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number } => ({
  x: centreX + (x - 0.5) / zoom,
  y: centreY + (y - 0.5) / zoom,
});

/** Moves the window by as little as necessary to contain a point of the picture with a margin, in fractions of it. */
export function showInWindow(
  window: PictureWindow,
  point: { readonly x: number; readonly y: number },
  margin = 0.05,
): PictureWindow {
  const { x, y } = toWindow(window, point);
  const excess = (value: number): number => Math.min(0, value - margin) + Math.max(0, value - (1 - margin));
  return moveWindow(window, excess(x), excess(y));
}
