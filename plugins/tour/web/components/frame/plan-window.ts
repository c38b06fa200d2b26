import { limitWindow, type PictureWindow } from '#core/ui';

/** A plan with at most this many nodes is shown whole. With more, the window shows about this many. */
const targetNodes = 40;

/**
 * Computes the window around a place of the plan that shows what is near: the whole plan if it has few nodes, else
 * about `targetNodes` of them if they are evenly spread.
 */
export function computeFirstWindow(
  nodeCount: number,
  place: { readonly x: number; readonly y: number },
): PictureWindow {
  return limitWindow({ zoom: Math.sqrt(Math.max(1, nodeCount / targetNodes)), ...place });
}
