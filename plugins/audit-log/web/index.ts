import { webPlugin } from '#core/web';
import { auditAdmin } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: auditAdmin,
      title: 'audit-log.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'userManagement',
      load: () => import('./screens/audit-screen.tsx'),
    },
  ],
  menu: [{ id: 'audit-log.item', slot: 'admin.sidebar', to: auditAdmin, order: 90, group: 'people' }],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
});
