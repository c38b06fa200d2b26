import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourPanels, tourTools } from '#plugins/tour';
import type manifest from '../plugin.ts';

const load = () => import('./components/tools.tsx');

export default webPlugin<typeof manifest>()({
  contributions: [
    contribute(tourTools, { id: 'annotate.tools', order: 30, load }),
    ...(['measurements', 'annotations', 'snapshots'] as const).map((name) =>
      contribute(tourPanels, {
        id: `annotate.${name}`,
        order: 30,
        load: () => load().then(({ panels }) => panels[name]),
      }),
    ),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  services: () => import('./services.ts'),
});
