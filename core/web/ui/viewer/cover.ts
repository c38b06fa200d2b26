import { createContext, use, type RefCallback } from 'react';

/** The edge of the viewer along which a part is placed. A part in a bottom corner takes up space only there. */
export type CoverEdge = 'top' | 'right' | 'bottom' | 'left' | 'leftCorner' | 'rightCorner';

/** Returns the same ref each time for an edge. */
export type Cover = (edge?: CoverEdge) => RefCallback<HTMLElement> | undefined;

/** Provided by the viewer. */
export const CoverContext = createContext<Cover>(() => undefined);

/**
 * Ref for an element over the viewer's image: labels and pins avoid it. With an `edge`, cards avoid it too, by the CSS
 * variables `--viewer-top`, `-right`, `-bottom`, `-left` (distance from that edge) and `--viewer-left-corner`,
 * `--viewer-right-corner` (from the bottom and from the right, in the bottom corners).
 */
export const useCover: Cover = (edge) => use(CoverContext)(edge);
