import { token } from '#core';
import type { PanoramaArea } from './panorama-engine.ts';

/** The areas of the pictures that the tour's frame, panels and cards cover or leave free. Observable. */
export const TourLayout = token<TourLayout>('tour.TourLayout');
export interface TourLayout {
  /** Boxes of everything above the pictures, pixels of the window. */
  readonly coveredAreas: readonly PanoramaArea[];
  /**
   * The largest part of an element that no panel, sheet or bar covers from edge to edge, in pixels from the element's
   * top left corner. Ignores covers in a corner or along part of an edge.
   */
  findFreeArea(element: HTMLElement): PanoramaArea;
}
