import type { ViewSurface } from '#plugins/tour';

/** Whether points of the surface can be picked. */
export const hasDepth = (surface: ViewSurface): boolean => surface.hasDepth?.() ?? true;
