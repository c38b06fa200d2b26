import { sql } from 'kysely';
import { PersonMasters, serverPlugin } from '#core/server';
import { Masters } from '#plugins/masters';
import { listMasters, listMasterTypes } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { DatabaseMasters } from './services.ts';
import { createMaster } from './migrations/0001-create-master.ts';
import { countVersions } from './migrations/0002-count-versions.ts';
import { indexParents } from './migrations/0003-index-parents.ts';
import type { MastersTables } from './tables.ts';

export default serverPlugin<typeof manifest, MastersTables>()({
  migrations: [createMaster, countVersions, indexParents],
  api: (api, context) => {
    context.changes.register({
      tables: { master: { key: ['uid'], name: 'name', version: 'row_version' } },
    });
    const masters = new DatabaseMasters(context.tables);
    context.provide(Masters, masters);
    context.service(PersonMasters).use(sql`
      select master.uid, master.type, master.name, master.french_name, master.active and type.active as active
      from masters.master join masters.master_type as type on type.code = master.type`);
    api.serve(listMasterTypes, () => masters.listTypes());
    api.serve(listMasters, async ({ params }) => [...(await masters.listActive(params.type))]);
  },
  demo: () => import('./demo.ts'),
});
