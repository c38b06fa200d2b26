import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourModules, tourOverlays, tourPanels, tourTools } from '#plugins/tour';
import { deviceCheck, markerPanel, panoramaModule } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      route: deviceCheck,
      title: 'vr.check.title',
      audience: 'bare',
      category: 'TOUR',
      access: 'vrAccess',
      load: () => import('./screens/device-check-screen.tsx'),
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
      load: () => import('./components/panorama-module.tsx'),
    }),
    contribute(tourTools, {
      id: 'vr.pins',
      order: 10,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: () => import('./components/pins-tool.tsx'),
    }),
    contribute(tourTools, {
      id: 'vr.markers',
      order: 12,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: () => import('./components/markers-tool.tsx'),
    }),
    contribute(tourPanels, {
      id: markerPanel,
      order: 12,
      access: 'vrAccess',
      load: () => import('./markers/components/marker-panel.tsx'),
    }),
    // The overlay is in the file of the tool that opens it, which saves a request.
    contribute(tourOverlays, {
      id: 'vr.placing',
      order: 12,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: () => import('./components/markers-tool.tsx').then(({ PlacingOverlay }) => ({ default: PlacingOverlay })),
    }),
    contribute(tourTools, {
      id: 'vr.date',
      order: 5,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: () => import('./components/date-tool.tsx'),
    }),
    contribute(tourTools, {
      id: 'vr.gyroscope',
      order: 20,
      access: 'vrAccess',
      modules: [panoramaModule],
      load: () => import('./components/gyroscope-tool.tsx'),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusals: { en: () => import('../contract/messages/en.json'), fr: () => import('../contract/messages/fr.json') },
  services: () => import('./services.ts'),
});
