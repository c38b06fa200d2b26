import { webPlugin } from '#core/web';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
});
