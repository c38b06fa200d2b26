import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourModules, tourTools } from '#plugins/tour';
import { deviceCheck, ScanDepth, scanModule, scansAdmin } from '../contract/index.ts';
import type manifest from '../plugin.ts';

const loadScan = () => import('./lazy.ts');

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: deviceCheck,
      title: 'scan.check.title',
      audience: 'bare',
      category: 'TOUR',
      access: 'scanAccess',
      load: () => loadScan().then(({ DeviceCheckScreen }) => ({ default: DeviceCheckScreen })),
    },
    {
      routeRef: scansAdmin,
      title: 'scan.admin.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: () => import('./admin/lazy.ts').then(({ ScansScreen }) => ({ default: ScansScreen })),
    },
  ],
  menu: [{ id: 'scan.adminItem', slot: 'admin.sidebar', to: scansAdmin, order: 30, group: 'content' }],
  contributions: [
    contribute(tourModules, {
      id: scanModule,
      order: 20,
      access: 'scanAccess',
      title: 'scan.title',
      shortTitle: 'scan.short',
      viewType: 'TRU_VIEW',
      depthSource: ScanDepth,
      icon: () => import('./components/scan-icon.tsx'),
      load: () => loadScan().then(({ ScanModule }) => ({ default: ScanModule })),
    }),
    contribute(tourTools, {
      id: 'scan.tools',
      order: 10,
      access: 'scanAccess',
      modules: [scanModule],
      load: () => loadScan().then(({ ScanTools }) => ({ default: ScanTools })),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
  services: () => loadScan().then(({ services }) => ({ default: services })),
});
