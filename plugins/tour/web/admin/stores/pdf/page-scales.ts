/** Longer edge of the picture of a page, pixels. */
const maxEdgePx = 8192;
/** Pixels per point for small sheets. A point is 1/72 inch. */
const maxPixelsPerPoint = 300 / 72;
/** Pixel limits of smaller pictures. Safari on iPads and iPhones draws no larger canvas, and old devices even less. */
const smallerAreasPx = [16_777_216, 4_194_304];

/**
 * Lists the scales at which a page can be drawn, pixels per point: the best first, then smaller ones for devices with
 * small canvases. Empty for a page without an area.
 */
export function listPageScales(widthPoints: number, heightPoints: number): readonly number[] {
  const area = widthPoints * heightPoints;
  if (!(area > 0 && Number.isFinite(area))) return [];
  const best = Math.min(maxPixelsPerPoint, maxEdgePx / Math.max(widthPoints, heightPoints));
  const smaller = smallerAreasPx.map((pixels) => Math.sqrt(pixels / area) * 0.999).filter((scale) => scale < best);
  return [best, ...smaller];
}
