import { serverPlugin } from '#core/server';
import { deleteEstimation, getEstimation, listEstimations, saveEstimation } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { findSiteName, removeEstimation, writeEstimation } from './commands/save-estimation.ts';
import { createEstimation } from './migrations/0001-create-estimation.ts';
import { findEstimation, listSiteEstimations } from './queries/estimations.ts';
import type { ExpenseTables } from './tables.ts';

export default serverPlugin<typeof manifest, ExpenseTables>()({
  migrations: [createEstimation],
  api: (api, context) => {
    context.registerLocationContents('expense.contents.estimation', 'estimation');
    context.changes.register({
      tables: {
        estimation: { key: ['location'], name: 'location', location: 'location', version: 'row_version' },
      },
    });
    api.serve(listEstimations, ({ caller, query }) => listSiteEstimations(context, caller, query));
    api.serve(getEstimation, async ({ params }) => {
      await findSiteName(context, params.location);
      return findEstimation(context.tables, params.location);
    });
    api.serve(saveEstimation, (call) => writeEstimation(context, call, call.params.location, call.body));
    api.serve(deleteEstimation, (call) => removeEstimation(context, call, call.params.location, call.query.version));
  },
  demo: () => import('./demo.ts'),
});
