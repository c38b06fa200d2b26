import type { PanoramaPicture, TourNode } from '#plugins/tour';

/** Undefined until the node's tiles are created. */
export function toPicture(node: TourNode): PanoramaPicture | undefined {
  return node.picture === null ? undefined : { tiles: node.picture, heading: node.heading, position: node.position };
}
