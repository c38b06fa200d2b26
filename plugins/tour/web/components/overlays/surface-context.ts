import { createContext, use, useEffect, useReducer } from 'react';
import { reaction } from 'mobx';
import type { TourLayout, TourTools, ViewSurface } from '#plugins/tour';
import type { LabelLayout } from './label-layout.ts';

/** The surface on which plugins draw shapes and labels, with the services that these use. */
export interface SurfaceScope {
  readonly surface: ViewSurface;
  readonly labels: LabelLayout;
  readonly layout: TourLayout;
  readonly tools: TourTools;
}

export const SurfaceContext = createContext<SurfaceScope | undefined>(undefined);

/** Renders the component again with each frame of the surface and when the covered areas change. */
export function useSurfaceScope(): SurfaceScope {
  const scope = use(SurfaceContext);
  if (!scope) throw new Error('Shapes and labels must be rendered in a contribution to surfaceOverlays.');
  const { surface, layout } = scope;
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const disposers = [surface.onChanged(rerender), reaction(() => layout.coveredAreas, rerender)];
    return () => {
      for (const dispose of disposers) dispose();
    };
  }, [surface, layout]);
  return scope;
}
