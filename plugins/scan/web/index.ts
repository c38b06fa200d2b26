import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourModules } from '#plugins/tour';
import { scanModule } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  contributions: [
    contribute(tourModules, {
      id: scanModule,
      order: 20,
      access: 'scanAccess',
      title: 'scan.title',
      shortTitle: 'scan.short',
      viewType: 'TRU_VIEW',
      icon: () => import('./bubble/scan-icon.tsx'),
      load: () => import('./bubble/scan-module.tsx'),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
});
