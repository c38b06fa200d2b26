import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { surfaceOverlays, tagActions, tourOverlays, tourPanels, tourTools } from '#plugins/tour';
import type manifest from '../plugin.ts';

const load = () => import('./lazy.tsx');
type Tools = Awaited<ReturnType<typeof load>>;
const lazyPart = <Name extends Exclude<keyof Tools, 'services'>>(name: Name) => ({
  id: `annotate.${name}`,
  order: 30,
  load: () => load().then((tools) => tools[name]),
});

export default webPlugin<typeof manifest>()({
  contributions: [
    contribute(tourTools, { id: 'annotate.tools', order: 30, load }),
    contribute(tourPanels, lazyPart('measurements')),
    contribute(tourPanels, lazyPart('annotations')),
    contribute(tourPanels, lazyPart('snapshots')),
    contribute(surfaceOverlays, lazyPart('drawings')),
    contribute(tagActions, lazyPart('tagTools')),
    contribute(tourOverlays, { ...lazyPart('bars'), persistent: true }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  services: () => load().then(({ services }) => ({ default: services })),
});
