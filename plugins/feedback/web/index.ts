import { contribute } from '#core';
import { banners, webPlugin } from '#core/web';
import { tourGates, tourOverlays } from '#plugins/tour';
import type manifest from '../plugin.ts';

const loadLazy = () => import('./lazy.ts');

export default webPlugin<typeof manifest>()({
  contributions: [
    contribute(tourGates, { id: 'feedback.form', order: 10, load: () => loadLazy().then(({ form }) => form) }),
    contribute(tourOverlays, {
      id: 'feedback.visit',
      order: 90,
      persistent: true,
      load: () => loadLazy().then(({ visit }) => visit),
    }),
    contribute(banners, {
      id: 'feedback.rating',
      order: 10,
      area: 'bottom',
      load: () => import('./components/rating-banner.tsx'),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  services: () => loadLazy().then(({ services }) => ({ default: services })),
});
