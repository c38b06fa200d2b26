import { createContext, use, useEffect, useReducer } from 'react';
import { reaction } from 'mobx';
import type { TourLayout, TourTools, ViewSurface } from '#plugins/tour';
import type { LabelLayout } from './label-layout.ts';

/** The surface below the shapes and labels of plugins. */
export interface SurfaceScope {
  readonly surface: ViewSurface;
  readonly labels: LabelLayout;
  readonly layout: TourLayout;
  readonly tools: TourTools;
}

export const SurfaceContext = createContext<SurfaceScope | undefined>(undefined);

/** Renders again with each frame of the surface and when its covered area changes. */
export function useSurfaceScope(): SurfaceScope {
  const scope = use(SurfaceContext);
  if (!scope) throw new Error('Shapes and labels belong into a contribution to surfaceOverlays.');
  const { surface, layout } = scope;
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ends = [surface.onChanged(draw), reaction(() => layout.covers, draw)];
    return () => {
      for (const end of ends) end();
    };
  }, [surface, layout]);
  return scope;
}
