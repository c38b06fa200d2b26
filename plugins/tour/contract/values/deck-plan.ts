import type { DeckPlan } from '../api.ts';

const radiansPerDegree = Math.PI / 180;

/**
 * Converts a point of the site (metres east and north) to fractions of the plan's width and height, from the left and
 * from the top.
 */
export function toPlan(
  { width, height, centre, scale, heading }: Omit<DeckPlan, 'address'>,
  [east, north]: readonly [number, number, ...unknown[]],
): { readonly x: number; readonly y: number } {
  const [cos, sin] = [Math.cos(heading * radiansPerDegree), Math.sin(heading * radiansPerDegree)];
  const [dx, dy] = [(east - centre[0]) / scale, (north - centre[1]) / scale];
  return { x: 0.5 + (dx * cos - dy * sin) / width, y: 0.5 - (dx * sin + dy * cos) / height };
}

const frameMarginMetres = 5;
const minFrameMetres = 20;
const frameMetresPerPixel = 0.05;

/** Computes a frame for the map of a deck without a plan: the bounds of the points with a margin, north up. */
export function computePlanFrame(
  points: readonly (readonly [east: number, north: number, ...unknown[]])[],
): Omit<DeckPlan, 'address'> {
  const computeExtent = (values: readonly number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return { middle: (low + high) / 2, size: Math.max(minFrameMetres, high - low + 2 * frameMarginMetres) };
  };
  const east = computeExtent(points.length === 0 ? [0] : points.map(([x]) => x));
  const north = computeExtent(points.length === 0 ? [0] : points.map(([, y]) => y));
  return {
    width: Math.ceil(east.size / frameMetresPerPixel),
    height: Math.ceil(north.size / frameMetresPerPixel),
    centre: [east.middle, north.middle],
    scale: frameMetresPerPixel,
    heading: 0,
  };
}

/** The inverse of `toPlan`. */
export function fromPlan(
  { width, height, centre, scale, heading }: Omit<DeckPlan, 'address'>,
  { x, y }: { readonly x: number; readonly y: number },
): readonly [east: number, north: number] {
  const [cos, sin] = [Math.cos(heading * radiansPerDegree), Math.sin(heading * radiansPerDegree)];
  const [right, up] = [(x - 0.5) * width * scale, (0.5 - y) * height * scale];
  return [centre[0] + right * cos + up * sin, centre[1] - right * sin + up * cos];
}
