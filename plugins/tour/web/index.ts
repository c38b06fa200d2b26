import { contribute, routes } from '#core';
import { webPlugin } from '#core/web';
import { FreeWalks, PanoramaEngines, tagSections, TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [{ route: routes.tour, title: 'tour.title', audience: 'bare', category: 'TOUR', load: () => import('./screens/tour-screen.tsx') }],
  // The section comes with the screen that hosts it: a file of its own would be one more to fetch.
  contributions: [
    contribute(tagSections, { id: 'tour.seenFrom', order: 10, title: 'tour.tag.seenFrom', load: () => import('./screens/tour-screen.tsx').then(({ SeenFromSection }) => ({ default: SeenFromSection })) }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  services: () => import('./services.ts'),
  provides: [TourStore, TourTools, PanoramaEngines, ViewSurfaces, FreeWalks],
});
