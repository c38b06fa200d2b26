import { contribute } from '#core';
import { noAccessActions, webPlugin } from '#core/web';
import { accessControl, groupRoles, rolesAdmin } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: rolesAdmin,
      title: 'roles.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: () => import('./screens/roles-screen.tsx'),
    },
    {
      routeRef: groupRoles,
      title: 'roles.groups.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'userManagement',
      load: () => import('./screens/group-roles-screen.tsx'),
    },
    {
      routeRef: accessControl,
      title: 'roles.accessControl',
      audience: 'admin',
      category: 'ADMIN',
      access: 'userManagement',
      load: () => import('./screens/access-control-screen.tsx'),
    },
  ],
  menu: [
    { id: 'roles.item', slot: 'admin.sidebar', to: rolesAdmin, order: 20, group: 'people' },
    { id: 'roles.groupsItem', slot: 'admin.sidebar', to: groupRoles, order: 25, group: 'people' },
    { id: 'roles.accessItem', slot: 'admin.sidebar', to: accessControl, order: 30, group: 'people' },
  ],
  contributions: [
    contribute(noAccessActions, {
      id: 'roles.requestAccess',
      order: 10,
      load: () => import('./components/request-access.tsx'),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
});
