import { clamp } from '#core';
import type { PlacedPlan } from '../../../contract/api/tour-content.ts';
import type { DeckPlan } from '../../../contract/api.ts';
import { fromPlan, toPlan } from '../../../contract/index.ts';
import type { PictureWindow } from '#core/ui';
import type { EastNorth } from './poses.ts';

/** A point in drawing units, from the left and from the top. */
export interface DrawingPoint {
  readonly x: number;
  readonly y: number;
}
export interface DrawingBox extends DrawingPoint {
  readonly width: number;
  readonly height: number;
}

/** The area that a drawing of a deck shows. */
export interface PlanFrame {
  /** The area as a plan. Its pixels are the units of the drawing. */
  readonly area: DeckPlan;
  /** Box of the plan's image. If undefined, the drawing shows a metric grid. */
  readonly image: DrawingBox | undefined;
}

/** Metres per unit of a drawing without a plan. */
const gridScale = 0.05;
const minGridMetres = 30;
/** Margin around the outermost viewpoint, as a fraction of the size of the plan. */
const margin = 0.1;
/** Viewpoints that are farther from the plan than this multiple of its size are not shown. */
const maxDistanceFactor = 1;

/** Computes the area of a plan and of the viewpoints around it, or of viewpoints without a plan. */
export function buildPlanFrame(plan: PlacedPlan | null, points: readonly EastNorth[]): PlanFrame {
  if (!plan?.placement) return { area: buildGrid(points), image: undefined };
  const wholePlan: DeckPlan = { address: plan.address, width: plan.width, height: plan.height, ...plan.placement };
  let [left, top, right, bottom] = [0, 0, 1, 1];
  for (const point of points) {
    const { x, y } = toPlan(wholePlan, point);
    if (x >= 0 && x <= 1 && y >= 0 && y <= 1) continue;
    left = Math.min(left, clamp(x - margin, -maxDistanceFactor, 0));
    top = Math.min(top, clamp(y - margin, -maxDistanceFactor, 0));
    right = Math.max(right, clamp(x + margin, 1, 1 + maxDistanceFactor));
    bottom = Math.max(bottom, clamp(y + margin, 1, 1 + maxDistanceFactor));
  }
  return {
    area: {
      ...wholePlan,
      width: (right - left) * wholePlan.width,
      height: (bottom - top) * wholePlan.height,
      centre: fromPlan(wholePlan, { x: (left + right) / 2, y: (top + bottom) / 2 }),
    },
    image: {
      // `0 -` avoids -0.
      x: 0 - left * wholePlan.width,
      y: 0 - top * wholePlan.height,
      width: wholePlan.width,
      height: wholePlan.height,
    },
  };
}

function buildGrid(points: readonly EastNorth[]): DeckPlan {
  const [west, east] = computeRange(points.map(([value]) => value));
  const [south, north] = computeRange(points.map(([, value]) => value));
  return {
    address: '',
    width: (east - west) / gridScale,
    height: (north - south) / gridScale,
    centre: [(west + east) / 2, (south + north) / 2],
    scale: gridScale,
    heading: 0,
  };
}

/** Computes the range of values with a margin, rounded to tens of metres. */
function computeRange(values: readonly number[]): readonly [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) [low, high] = [0, 0];
  const extra = Math.max((minGridMetres - (high - low)) / 2, (high - low) * margin, 5);
  return [Math.floor((low - extra) / 10) * 10, Math.ceil((high + extra) / 10) * 10];
}

export function toDrawing(area: DeckPlan, point: readonly [number, number, ...unknown[]]): DrawingPoint {
  const { x, y } = toPlan(area, point);
  return { x: x * area.width, y: y * area.height };
}

export const fromDrawing = (area: DeckPlan, { x, y }: DrawingPoint): EastNorth =>
  fromPlan(area, { x: x / area.width, y: y / area.height });

export const isWithin = ({ x, y, width, height }: DrawingBox, point: DrawingPoint): boolean =>
  point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;

/** Converts two corners to a box. */
export const toBox = (a: DrawingPoint, b: DrawingPoint): DrawingBox => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

/** The visible part of a drawing in an element, and its units per pixel of the element. */
export interface ViewBox extends DrawingBox {
  readonly unitsPerPx: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Computes the visible part of a drawing, extended to the proportions of the element to avoid distortion. */
export function computeViewBox(area: DeckPlan, pictureWindow: PictureWindow, size: Size): ViewBox {
  const unitsPerPx = Math.max(
    area.width / pictureWindow.zoom / size.width,
    area.height / pictureWindow.zoom / size.height,
  );
  const [width, height] = [size.width * unitsPerPx, size.height * unitsPerPx];
  return {
    x: pictureWindow.x * area.width - width / 2,
    y: pictureWindow.y * area.height - height / 2,
    width,
    height,
    unitsPerPx,
  };
}

/** Converts pixels of the element to units of the drawing. */
export const fromPixels = (view: ViewBox, { x, y }: DrawingPoint): DrawingPoint => ({
  x: view.x + x * view.unitsPerPx,
  y: view.y + y * view.unitsPerPx,
});

/** Rounds up to 1, 2 or 5 times a power of ten, for grid lines and scale bars. */
export function ceilToStep(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(metres));
  return ([1, 2, 5].find((step) => step * power >= metres * (1 - 1e-9)) ?? 10) * power;
}
