import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourModules, tourTools } from '#plugins/tour';
import { deviceCheck } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [{ route: deviceCheck, title: 'model-3d.check.title', audience: 'bare', category: 'TOUR', access: 'threeDimensionalAccess', load: () => import('./screens/device-check-screen.tsx') }],
  contributions: [
    contribute(tourModules, {
      id: 'model-3d.module',
      order: 30,
      access: 'threeDimensionalAccess',
      title: 'model-3d.title',
      shortTitle: 'model-3d.short',
      viewType: 'THREE_D_MODEL',
      icon: () => import('./module/model-icon.tsx'),
      load: () => import('./module/model-module.tsx'),
    }),
    contribute(tourTools, { id: 'model-3d.tools', order: 10, access: 'threeDimensionalAccess', modules: ['model-3d.module'], load: () => import('./module/model-tools.tsx') }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  services: () => import('./services.ts'),
});
