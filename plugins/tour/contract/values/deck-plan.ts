import type { DeckPlan } from '../api.ts';

const radians = Math.PI / 180;

/**
 * Converts a point of the site (metres east and north) to fractions of the plan's width and height, from the left and
 * from the top.
 */
export function toPlan(
  { width, height, centre, scale, heading }: DeckPlan,
  [east, north]: readonly [number, number, ...unknown[]],
): { readonly x: number; readonly y: number } {
  const [cos, sin] = [Math.cos(heading * radians), Math.sin(heading * radians)];
  const [dx, dy] = [(east - centre[0]) / scale, (north - centre[1]) / scale];
  return { x: 0.5 + (dx * cos - dy * sin) / width, y: 0.5 - (dx * sin + dy * cos) / height };
}

/** The inverse of `toPlan`. */
export function fromPlan(
  { width, height, centre, scale, heading }: DeckPlan,
  { x, y }: { readonly x: number; readonly y: number },
): readonly [east: number, north: number] {
  const [cos, sin] = [Math.cos(heading * radians), Math.sin(heading * radians)];
  const [right, up] = [(x - 0.5) * width * scale, (0.5 - y) * height * scale];
  return [centre[0] + right * cos + up * sin, centre[1] - right * sin + up * cos];
}
