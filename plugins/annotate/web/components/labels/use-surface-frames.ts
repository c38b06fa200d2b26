import { useEffect, useReducer } from 'react';
import type { ViewSurface } from '#plugins/tour';
import { findLabelLayout } from './label-layout.ts';
import type { Box } from './place-label.ts';

/** Draws again with each frame of a surface, and when something else covers it. Answers the part of it that is free. */
export function useSurfaceFrames(surface: ViewSurface): Box {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ends = [surface.onChanged(draw), findLabelLayout(surface).onCovered(draw)];
    return () => {
      for (const end of ends) end();
    };
  }, [surface]);
  return findLabelLayout(surface).free;
}
