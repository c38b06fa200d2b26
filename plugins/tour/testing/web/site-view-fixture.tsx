import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect, useRef } from 'react';
import { contribute, type Point3 } from '#core';
import { useService, webPlugin } from '#core/web';
import { tourModules, ViewSurfaces, type ViewSurface } from '#plugins/tour';

/** The points that the next clicks in the 3D view hit. Undefined for a click that hits nothing. */
export const sitePicks: (Point3 | undefined)[] = [];

/** Presses Enter in the 3D view, which hits `point`. The view may be in the document before it listens to keys. */
export async function pickInSite(point: Point3 | undefined): Promise<void> {
  sitePicks.push(point);
  await waitFor(() => {
    fireEvent.keyDown(screen.getByRole('application', { name: '3D view' }), { key: 'Enter' });
    if (sitePicks.length > 0) throw new Error('The 3D view does not listen to keys yet.');
  });
}

function SiteView() {
  const surfaces = useService(ViewSurfaces);
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const surface: ViewSurface = {
      module: 'fixture.model',
      host: host.current!,
      pick: async () => {
        const point = sitePicks.shift();
        return point && { point, normal: undefined, source: 'MODEL', sigma: undefined, edge: false };
      },
      findSurfacePoints: async () => new Float64Array(0),
      toPixel: () => ({ x: 10, y: 10 }),
      sees: () => true,
      onChanged: () => () => undefined,
      takePicture: async () => new Blob(),
    };
    return surfaces.register(surface);
  }, [surfaces]);
  return <div ref={host} aria-label="3D view" role="application" />;
}

/** A plugin with a tour module named Model, which is a 3D view of the site. */
export const siteViewFixture = {
  id: 'fixture',
  settings: {},
  bridges: [],
  web: webPlugin()({
    contributions: [
      contribute(tourModules, {
        id: 'fixture.model',
        order: 10,
        title: 'fixture.title',
        shortTitle: 'fixture.title',
        viewType: 'THREE_D_MODEL',
        icon: async () => ({ default: () => null }),
        load: async () => ({ default: SiteView }),
      }),
    ],
    messages: { en: async () => ({ default: { 'fixture.title': 'Model' } }) },
  }),
};
