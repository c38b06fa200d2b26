import { clamp } from '#core';

/** The device by which a mark is added. */
export type MarkDevice = 'mouse' | 'touch' | 'keyboard';

/** A point of a plan, in fractions of its width and height from the left and from the top. */
export interface PlanMark {
  readonly x: number;
  readonly y: number;
}

/** Steps of the arrow keys, as fractions of the visible part of the plan. */
const step = 0.002;
const largeStep = 0.02;
const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Finds the position to which an arrow key moves a mark: by 0.2 % of the visible part of the plan, with Shift by 2 %,
 * so that steps become smaller with the zoom. Undefined for other keys.
 */
export function findMarkStep(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  { x, y }: PlanMark,
  zoom: number,
): PlanMark | undefined {
  const direction = directions[key];
  if (!direction) return undefined;
  const length = (shiftKey ? largeStep : step) / zoom;
  return limitMark({ x: x + direction[0] * length, y: y + direction[1] * length });
}

/** Limits a mark to the plan, and rounds it by less than a pixel of the largest image. */
export const limitMark = ({ x, y }: PlanMark): PlanMark => ({ x: toFraction(x), y: toFraction(y) });
const toFraction = (value: number): number => Number(clamp(value, 0, 1).toFixed(7));
