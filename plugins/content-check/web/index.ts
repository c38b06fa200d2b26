import { webPlugin } from '#core/web';
import { contentCheck } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: contentCheck,
      title: 'content-check.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: () => import('./screens/content-check-screen.tsx'),
    },
  ],
  menu: [{ id: 'content-check.item', slot: 'admin.sidebar', to: contentCheck, order: 80, group: 'content' }],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
});
