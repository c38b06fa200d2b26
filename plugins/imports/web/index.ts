import { webPlugin } from '#core/web';
import { importsAdmin, importWorkbench, kindPages } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [importsAdmin, importWorkbench, ...kindPages].map((routeRef) => ({
    routeRef,
    title: 'imports.title',
    audience: 'admin',
    category: 'ADMIN',
    access: 'import',
    load: () => import('./screens/imports-screen.tsx'),
  })),
  menu: [{ id: 'imports.item', slot: 'admin.sidebar', to: importsAdmin, order: 30, group: 'content' }],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
});
