import { clamp } from '#core';

/** The visible part of a plan. */
export interface PlanWindow {
  /** 1 shows the whole plan. */
  readonly zoom: number;
  /** Centre, fractions of the plan's width and height from the left and the top. */
  readonly x: number;
  readonly y: number;
}

export const wholePlan: PlanWindow = { zoom: 1, x: 0.5, y: 0.5 };
export const maxZoom = 40;
/** A plan with at most this many nodes is shown whole. With more, the window shows about this many. */
const targetNodes = 40;

/** Keeps the window within the plan. */
export function limitWindow({ zoom, x, y }: PlanWindow): PlanWindow {
  const limited = clamp(zoom, 1, maxZoom);
  const half = 0.5 / limited;
  return { zoom: limited, x: clamp(x, half, 1 - half), y: clamp(y, half, 1 - half) };
}

/** Zooms by a factor so that a point of the window stays in its place. `at` is in fractions of the window. */
export function zoomWindow(
  window: PlanWindow,
  factor: number,
  at: { readonly x: number; readonly y: number } = { x: 0.5, y: 0.5 },
): PlanWindow {
  const zoom = clamp(window.zoom * factor, 1, maxZoom);
  const shift = 1 / window.zoom - 1 / zoom;
  return limitWindow({ zoom, x: window.x + (at.x - 0.5) * shift, y: window.y + (at.y - 0.5) * shift });
}

/** Moves the window by fractions of its own width and height. */
export const moveWindow = (window: PlanWindow, right: number, down: number): PlanWindow =>
  limitWindow({ ...window, x: window.x + right / window.zoom, y: window.y + down / window.zoom });

/**
 * Computes the window around a place of the plan that shows what is near: the whole plan if it has few nodes, else
 * about `targetNodes` of them if they are evenly spread.
 */
export function computeFirstWindow(nodeCount: number, place: { readonly x: number; readonly y: number }): PlanWindow {
  return limitWindow({ zoom: Math.sqrt(Math.max(1, nodeCount / targetNodes)), ...place });
}

/** Converts a point of the plan to fractions of the window. Points outside of it are below 0 or above 1. */
export const toWindow = (
  { zoom, x: centreX, y: centreY }: PlanWindow,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number } => ({
  x: 0.5 + (x - centreX) * zoom,
  y: 0.5 + (y - centreY) * zoom,
});

/** The inverse of `toWindow`. */
export const fromWindow = (
  { zoom, x: centreX, y: centreY }: PlanWindow,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number } => ({
  x: centreX + (x - 0.5) / zoom,
  y: centreY + (y - 0.5) / zoom,
});

/** Moves the window by as little as necessary to contain a point of the plan with a margin, in fractions of it. */
export function showInWindow(
  window: PlanWindow,
  point: { readonly x: number; readonly y: number },
  margin = 0.05,
): PlanWindow {
  const { x, y } = toWindow(window, point);
  const excess = (value: number): number => Math.min(0, value - margin) + Math.max(0, value - (1 - margin));
  return moveWindow(window, excess(x), excess(y));
}
