import type { CoverEdge } from '#core/ui';
import type { PanoramaArea } from '#plugins/tour';

export interface CoveringPart {
  readonly edge: CoverEdge | undefined;
  /** Pixels of the window, like the regions. */
  readonly box: PanoramaArea;
}

/**
 * Covered pixels from each edge. `bottom` includes the parts with the edge `aboveBottom`; `aboveBottom` does not,
 * because these parts begin there. `leftCorner` is measured from the bottom, `rightCorner` from the right.
 */
export type Insets = Readonly<Record<CoverEdge, number>>;

/**
 * Maximum distance between a part and the edge that it covers, pixels. Parts over the other pane of a split view are
 * farther away.
 */
const maxEdgeDistancePx = 72;

/** Computes how far each edge of a region is covered. Ignores parts that cover the whole width or height. */
export function computeInsets(region: PanoramaArea, parts: readonly CoveringPart[]): Insets {
  const insets = { top: 0, right: 0, bottom: 0, aboveBottom: 0, left: 0, leftCorner: 0, rightCorner: 0 };
  const [right, bottom] = [region.left + region.width, region.top + region.height];
  const isAbove = ({ edge }: CoveringPart): boolean => edge === 'aboveBottom';
  for (const { edge, box } of [...parts.filter((part) => !isAbove(part)), ...parts.filter(isAbove)]) {
    const [boxRight, boxBottom] = [box.left + box.width, box.top + box.height];
    const overlaps = box.left < right && boxRight > region.left && box.top < bottom && boxBottom > region.top;
    if (edge === undefined || !overlaps) continue;
    const [distance, covered, extent] = {
      top: [box.top - region.top, boxBottom - region.top, region.height],
      right: [right - boxRight, right - box.left, region.width],
      bottom: [bottom - boxBottom, bottom - box.top, region.height],
      aboveBottom: [bottom - boxBottom - insets.bottom, bottom - box.top, region.height],
      left: [box.left - region.left, boxRight - region.left, region.width],
      leftCorner: [0, bottom - box.top, region.height],
      rightCorner: [0, right - box.left, region.width],
    }[edge] as [number, number, number];
    if (distance <= maxEdgeDistancePx && covered < extent) insets[edge] = Math.max(insets[edge], covered);
  }
  const coveredBottom = Math.max(insets.bottom, insets.aboveBottom);
  return {
    ...insets,
    bottom: coveredBottom,
    aboveBottom: insets.bottom,
    leftCorner: Math.max(insets.leftCorner, coveredBottom),
  };
}

/**
 * Finds the largest part of an area next to the panels, sheets and bars that cover it from edge to edge. Ignores
 * smaller covered areas.
 */
export function findFreeArea(area: PanoramaArea, coveredAreas: readonly PanoramaArea[]): PanoramaArea {
  let [left, top, right, bottom] = [area.left, area.top, area.left + area.width, area.top + area.height];
  for (const box of coveredAreas) {
    const [boxRight, boxBottom] = [box.left + box.width, box.top + box.height];
    if (boxRight <= left || boxBottom <= top || box.left >= right || box.top >= bottom) continue;
    const [freeLeft, freeRight, freeTop, freeBottom] = [
      box.left - left,
      right - boxRight,
      box.top - top,
      bottom - boxBottom,
    ];
    if (box.height >= area.height * 0.6) {
      if (freeLeft > freeRight) right = box.left;
      else if (freeRight > freeLeft) left = boxRight;
    } else if (box.width >= area.width * 0.6) {
      if (freeTop > freeBottom) bottom = box.top;
      else if (freeBottom > freeTop) top = boxBottom;
    }
  }
  return { left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}
