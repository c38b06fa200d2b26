import { useEffect, useReducer } from 'react';
import type { ViewSurface } from '#plugins/tour';

/** Renders the component again on each frame of a surface. */
export function useSurfaceFrames(surface: ViewSurface): void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => surface.onChanged(render), [surface]);
}
