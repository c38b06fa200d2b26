import type { ViewSurface } from '#plugins/tour';

/** Whether something can be measured or marked there at all. */
export const hasDepth = (surface: ViewSurface): boolean => surface.hasDepth?.() ?? true;
