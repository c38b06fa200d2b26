import { serverPlugin } from '#core/server';
import { Masters } from '#plugins/masters';
import { listMasters, listMasterTypes } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { DatabaseMasters } from './services.ts';
import { createMaster } from './migrations/0001-create-master.ts';

export default serverPlugin<typeof manifest>()({
  migrations: [createMaster],
  api: (api, context) => {
    const masters = new DatabaseMasters(context.database);
    context.provide(Masters, masters);
    api.serve(listMasterTypes, () => masters.types());
    api.serve(listMasters, async ({ params }) => [...(await masters.active(params.type))]);
  },
  demo: () => import('./demo.ts'),
});
