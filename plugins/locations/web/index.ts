import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { home, setUpAdmin, setUpSteps, sitesAdmin, unit } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: home,
      title: 'locations.home.title',
      audience: 'user',
      category: 'TOUR',
      load: () => import('./screens/home-screen.tsx'),
    },
    {
      routeRef: unit,
      title: 'locations.unit.title',
      audience: 'user',
      category: 'TOUR',
      load: () => import('./screens/unit-screen.tsx'),
    },
    {
      routeRef: sitesAdmin,
      title: 'locations.sites.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: () => import('./admin/screens/sites-screen.tsx'),
    },
    {
      routeRef: setUpAdmin,
      title: 'locations.setUp.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: () => import('./admin/screens/set-up-screen.tsx'),
    },
  ],
  menu: [
    { id: 'locations.sitesItem', slot: 'admin.sidebar', to: sitesAdmin, order: 10, group: 'content' },
    { id: 'locations.setUpItem', slot: 'admin.sidebar', to: setUpAdmin, order: 5, group: 'content' },
  ],
  contributions: [
    contribute(setUpSteps, {
      id: 'locations.sites',
      order: 10,
      access: 'configure',
      title: 'locations.setUp.step',
      to: sitesAdmin,
      firstQuery: '?add=site',
    }),
  ],
  locationOrder: ({ alphabetical }) => (alphabetical ? 'alphabetical' : 'imported'),
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
  services: () => import('./services.ts'),
});
