import { token } from '#core';
import type { PanoramaArea } from './panorama-engine.ts';

/** What the tour's frame, panels and cards leave free of the pictures. Observable. */
export const TourLayout = token<TourLayout>('tour.TourLayout');
export interface TourLayout {
  /** Boxes of all that lies over the pictures, in pixels of the window. */
  readonly covers: readonly PanoramaArea[];
  /**
   * The largest part of an element that no panel, sheet or bar cuts off from edge to edge, in pixels from the element's
   * left top corner. What stands only in a corner or along a part of an edge does not count.
   */
  freeIn(element: HTMLElement): PanoramaArea;
}
