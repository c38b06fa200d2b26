import { limitWindow, type PictureWindow } from '#core/ui';

/** A plan with at most this many nodes is completely visible. The window of a larger plan shows about this many. */
const targetNodes = 40;

/**
 * Computes the first window around a point of the plan: the whole plan if it has few nodes, else a part with about
 * `targetNodes` evenly distributed nodes.
 */
export function computeFirstWindow(
  nodeCount: number,
  centre: { readonly x: number; readonly y: number },
): PictureWindow {
  return limitWindow({ zoom: Math.sqrt(Math.max(1, nodeCount / targetNodes)), ...centre });
}
