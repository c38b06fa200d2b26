import { webPlugin } from '#core/web';
import { estimationAdmin, expenseAdmin } from '../contract/routes.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: expenseAdmin,
      title: 'expense.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./lazy.ts')).ExpenseScreen }),
    },
    {
      routeRef: estimationAdmin,
      title: 'expense.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./lazy.ts')).EstimationScreen }),
    },
  ],
  menu: [{ id: 'expense.item', slot: 'admin.sidebar', to: expenseAdmin, order: 20, group: 'configuration' }],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
});
