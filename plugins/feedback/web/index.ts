import { contribute } from '#core';
import { webPlugin } from '#core/web';
import { tourGates } from '#plugins/tour';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  contributions: [
    contribute(tourGates, { id: 'feedback.form', order: 10, load: () => import('./components/tour-form-gate.tsx') }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
});
