import { createContext, use, type RefCallback } from 'react';

/**
 * The edge that a part of a viewer stands along. What stands in the left or right bottom corner takes height or width
 * there alone.
 */
export type CoverEdge = 'top' | 'right' | 'bottom' | 'left' | 'leftCorner' | 'rightCorner';

/** The same ref each time for an edge. */
export type Cover = (edge?: CoverEdge) => RefCallback<HTMLElement> | undefined;

/** Provided by the viewer. */
export const CoverContext = createContext<Cover>(() => undefined);

/**
 * A ref for what lies over the picture of a viewer, such as a bar or a card: labels and pins keep clear of it. With an
 * `edge` cards do so as well, by the CSS variables `--viewer-top`, `--viewer-right`, `--viewer-bottom`,
 * `--viewer-left`: the distance from the edge of a picture at which the next thing may stand. `--viewer-left-corner` is
 * that from the bottom in the left corner, `--viewer-right-corner` that from the right in the right one.
 */
export const useCover: Cover = (edge) => use(CoverContext)(edge);
