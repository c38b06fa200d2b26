import type { ViewSurface } from '#plugins/tour';

/** Whether the surface supports picks. */
export const hasDepth = (surface: ViewSurface): boolean => surface.hasDepth?.() ?? true;
