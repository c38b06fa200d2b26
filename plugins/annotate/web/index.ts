import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourTools } from '#plugins/tour';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  contributions: [contribute(tourTools, { id: 'annotate.tools', order: 30, load: () => import('./tools.tsx') })],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  services: () => import('./services.ts'),
});
