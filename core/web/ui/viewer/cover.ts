import { createContext, use, type RefCallback } from 'react';

/**
 * The edge of the viewer along which a part is placed. A part in a bottom corner takes up space only there. A part with
 * `aboveBottom` is placed above the parts with `bottom`.
 */
export type CoverEdge = 'top' | 'right' | 'bottom' | 'aboveBottom' | 'left' | 'leftCorner' | 'rightCorner';

/** Returns the ref for a part along an edge, the same ref each time. */
export type Cover = (edge?: CoverEdge) => RefCallback<HTMLElement> | undefined;

/** The viewer provides this context. */
export const CoverContext = createContext<Cover>(() => undefined);

/**
 * A ref for an element that covers the viewer's image. Labels and pins avoid the element. With an `edge`, cards avoid
 * it too: by the CSS variables `--viewer-top`, `-right`, `-bottom` and `-left`, the distances from the edges, and in
 * the bottom corners by `--viewer-left-corner` (from the bottom) and `--viewer-right-corner` (from the right). The area
 * that panels, sheets and bars leave free is `--viewer-free-left`, `-top`, `-width` and `-height`. A part `aboveBottom`
 * is placed by `--viewer-above-bottom`. Unlike `--viewer-bottom`, it does not include the part itself.
 */
export const useCover: Cover = (edge) => use(CoverContext)(edge);
