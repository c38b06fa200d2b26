import { contribute } from '#core';
import { webPlugin } from '#core/web';
import {
  findTour,
  CameraControllers,
  panoramasAdmin,
  PanoramaEngines,
  tagSections,
  TourLayout,
  TourStore,
  TourTools,
  tourView,
  viewLink,
  Viewers,
  ViewSurfaces,
} from '#plugins/tour';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      route: tourView,
      title: 'tour.title',
      audience: 'bare',
      category: 'TOUR',
      load: () => import('./screens/tour-screen.tsx'),
    },
    {
      route: findTour,
      title: 'tour.title',
      audience: 'bare',
      category: 'TOUR',
      load: () => import('./screens/find-tour-screen.tsx'),
    },
    {
      route: viewLink,
      title: 'tour.title',
      audience: 'bare',
      category: 'TOUR',
      load: () => import('./screens/view-link-screen.tsx'),
    },
    {
      route: panoramasAdmin,
      title: 'tour.panoramas',
      audience: 'admin',
      category: 'ADMIN',
      access: 'import',
      load: () => import('./admin/screens/panoramas-screen.tsx'),
    },
  ],
  menu: [{ id: 'tour.panoramasItem', slot: 'admin.sidebar', to: panoramasAdmin, order: 20, group: 'content' }],
  // The section is in the file of the screen that hosts it, to save a request.
  contributions: [
    contribute(tagSections, {
      id: 'tour.seenFrom',
      order: 10,
      title: 'tour.tag.seenFrom',
      load: () => import('./screens/tour-screen.tsx').then(({ SeenFromSection }) => ({ default: SeenFromSection })),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusals: { en: () => import('../contract/messages/en.json'), fr: () => import('../contract/messages/fr.json') },
  services: () => import('./services.ts'),
  provides: [TourStore, TourTools, PanoramaEngines, ViewSurfaces, TourLayout, Viewers, CameraControllers],
});
