import { webPlugin } from '#core/web';
import {
  contentAdmin,
  findTour,
  CameraControllers,
  panoramasAdmin,
  tagsAdmin,
  PanoramaEngines,
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
      routeRef: tourView,
      title: 'tour.title',
      audience: 'bare',
      category: 'TOUR',
      load: () => import('./screens/tour-screen.tsx'),
    },
    {
      routeRef: findTour,
      title: 'tour.title',
      audience: 'bare',
      category: 'TOUR',
      load: () => import('./screens/find-tour-screen.tsx'),
    },
    {
      routeRef: viewLink,
      title: 'tour.title',
      audience: 'bare',
      category: 'TOUR',
      load: () => import('./screens/view-link-screen.tsx'),
    },
    {
      routeRef: contentAdmin,
      title: 'tour.content',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./admin/lazy.ts')).ContentScreen }),
    },
    {
      routeRef: tagsAdmin,
      title: 'tour.tagContent',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./admin/lazy.ts')).TagsScreen }),
    },
    {
      routeRef: panoramasAdmin,
      title: 'tour.panoramas',
      audience: 'admin',
      category: 'ADMIN',
      access: 'import',
      load: async () => ({ default: (await import('./admin/lazy.ts')).PanoramasScreen }),
    },
  ],
  menu: [
    { id: 'tour.contentItem', slot: 'admin.sidebar', to: contentAdmin, order: 15, group: 'content' },
    { id: 'tour.tagsItem', slot: 'admin.sidebar', to: tagsAdmin, order: 17, group: 'content' },
    { id: 'tour.panoramasItem', slot: 'admin.sidebar', to: panoramasAdmin, order: 20, group: 'content' },
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
  services: () => import('./services.ts'),
  provides: [TourStore, TourTools, PanoramaEngines, ViewSurfaces, TourLayout, Viewers, CameraControllers],
});
