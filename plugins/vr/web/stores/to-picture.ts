import type { PanoramaPicture, TourCapture, TourNode } from '#plugins/tour';

/** Returns the picture of a node, or one of its earlier pictures. Undefined until its tiles are created. */
export function toPicture(
  { position }: Pick<TourNode, 'position'>,
  { picture, heading }: Pick<TourNode | TourCapture, 'picture' | 'heading'>,
): PanoramaPicture | undefined {
  if (picture === null) return undefined;
  const { id, address, ranges } = picture;
  return {
    tiles: picture,
    heading,
    position,
    // The noise of the ranges is unknown, so the picks estimate it.
    ...(ranges && { ranges: { ...ranges, id, address, sigma: 0 } }),
  };
}
