import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { surfaceOverlays, tagActions, tourOverlays, tourPanels, tourTools } from '#plugins/tour';
import type manifest from '../plugin.ts';

const load = () => import('./lazy.tsx');
type LazyModule = Awaited<ReturnType<typeof load>>;
const lazyContribution = <Name extends Exclude<keyof LazyModule, 'services'>>(name: Name) => ({
  id: `annotate.${name}`,
  order: 30,
  load: () => load().then((lazyModule) => lazyModule[name]),
});

export default webPlugin<typeof manifest>()({
  contributions: [
    contribute(tourTools, { id: 'annotate.tools', order: 30, load }),
    contribute(tourPanels, lazyContribution('measurements')),
    contribute(tourPanels, lazyContribution('annotations')),
    contribute(tourPanels, lazyContribution('snapshots')),
    contribute(surfaceOverlays, lazyContribution('drawings')),
    contribute(tagActions, lazyContribution('tagTools')),
    contribute(tourOverlays, { ...lazyContribution('bars'), persistent: true }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  services: () => load().then(({ services }) => ({ default: services })),
});
