import { webPlugin } from '#core/web';
import { masterAdmin, masterDataAdmin, masterTypeAdmin, masterTypesAdmin } from '../contract/routes.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: masterTypesAdmin,
      title: 'masters.types',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./lazy.ts')).MasterTypeListScreen }),
    },
    {
      routeRef: masterTypeAdmin,
      title: 'masters.types.one',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./lazy.ts')).MasterTypeScreen }),
    },
    {
      routeRef: masterDataAdmin,
      title: 'masters.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./lazy.ts')).MasterListScreen }),
    },
    {
      routeRef: masterAdmin,
      title: 'masters.one',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./lazy.ts')).MasterScreen }),
    },
  ],
  menu: [
    { id: 'masters.typesItem', slot: 'admin.sidebar', to: masterTypesAdmin, order: 10, group: 'configuration' },
    { id: 'masters.dataItem', slot: 'admin.sidebar', to: masterDataAdmin, order: 15, group: 'configuration' },
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
});
