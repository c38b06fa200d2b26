import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourModules, tourOverlays, tourPanels, tourTools } from '#plugins/tour';
import { deviceCheck, markerPanel, panoramaModule } from '../contract/index.ts';
import type manifest from '../plugin.ts';

const loadLazy = () => import('./lazy.ts');
type LazyParts = Awaited<ReturnType<typeof loadLazy>>;
const loadPart = (name: Exclude<keyof LazyParts, 'services'>) => () => loadLazy().then((parts) => parts[name]);

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: deviceCheck,
      title: 'vr.check.title',
      audience: 'bare',
      category: 'TOUR',
      access: 'vrAccess',
      load: loadPart('deviceCheckScreen'),
    },
  ],
  contributions: [
    contribute(tourModules, {
      id: panoramaModule,
      order: 10,
      access: 'vrAccess',
      title: 'vr.title',
      shortTitle: 'vr.short',
      viewType: 'PANO',
      icon: () => import('./components/panorama-icon.tsx'),
      load: loadPart('panorama'),
    }),
    contribute(tourTools, {
      id: 'vr.pins',
      order: 10,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: loadPart('pinsTool'),
    }),
    contribute(tourTools, {
      id: 'vr.markers',
      order: 12,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: loadPart('markersTool'),
    }),
    contribute(tourPanels, {
      id: markerPanel,
      order: 12,
      access: 'vrAccess',
      load: () => import('./markers/components/marker-panel.tsx'),
    }),
    contribute(tourOverlays, {
      id: 'vr.placing',
      order: 12,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: loadPart('placing'),
    }),
    contribute(tourTools, {
      id: 'vr.date',
      order: 5,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: loadPart('dateTool'),
    }),
    contribute(tourTools, {
      id: 'vr.gyroscope',
      order: 20,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: loadPart('gyroscopeTool'),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
  services: () => loadLazy().then(({ services }) => ({ default: services })),
});
