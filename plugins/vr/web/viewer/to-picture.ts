import type { PanoramaPicture, TourNode } from '#plugins/tour';

/** Returns the picture of a node, or undefined until its tiles are created. */
export function toPicture(node: TourNode): PanoramaPicture | undefined {
  return node.picture === null ? undefined : { tiles: node.picture, heading: node.heading, position: node.position };
}
