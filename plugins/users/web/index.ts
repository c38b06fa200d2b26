import { webPlugin } from '#core/web';
import { userList, userPage } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [userList, userPage].map((routeRef) => ({
    routeRef,
    title: 'users.title',
    audience: 'admin' as const,
    category: 'ADMIN' as const,
    access: 'userManagement' as const,
    load: () => import('./screens/users-screen.tsx'),
  })),
  menu: [{ id: 'users.item', slot: 'admin.sidebar', to: userList, order: 10, group: 'people' }],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
});
