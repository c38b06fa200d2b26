/** Longer edge of the picture of a page. */
const maxEdgePx = 8192;
/** A small sheet gains nothing from more. Pages are measured in points, 72 per inch. */
const maxPixelsPerPoint = 300 / 72;
/** Safari on iPads and iPhones draws no canvas with more pixels; old devices have even less memory. */
const smallerAreasPx = [16_777_216, 4_194_304];

/**
 * The scales at which a page is drawn, pixels per point: the best first, then smaller ones for devices with small
 * canvases. Empty for a page without an area.
 */
export function listPageScales(widthPoints: number, heightPoints: number): readonly number[] {
  const area = widthPoints * heightPoints;
  if (!(area > 0 && Number.isFinite(area))) return [];
  const best = Math.min(maxPixelsPerPoint, maxEdgePx / Math.max(widthPoints, heightPoints));
  const smaller = smallerAreasPx.map((pixels) => Math.sqrt(pixels / area) * 0.999).filter((scale) => scale < best);
  return [best, ...smaller];
}
