import { sql } from 'kysely';
import { notFound, PersonMasters, serverPlugin } from '#core/server';
import { Masters } from '#plugins/masters';
import { listMasters as listActiveMasters, listMasterTypes } from '../contract/api.ts';
import {
  updateMaster,
  updateMasterType,
  createMaster,
  getMasterData,
  listMasterData,
  listMasterTypeDetails,
} from '../contract/api/master-data.ts';
import type manifest from '../plugin.ts';
import { saveMasterType } from './commands/change-master-type.ts';
import { addMaster, saveMaster } from './commands/save-master.ts';
import { createMaster as createMasterTable } from './migrations/0001-create-master.ts';
import { countVersions } from './migrations/0002-count-versions.ts';
import { indexParents } from './migrations/0003-index-parents.ts';
import { changeTypes } from './migrations/0004-change-types.ts';
import { findUsedMasters } from './queries/find-used-masters.ts';
import { findMasterData, listMasters } from './queries/list-master-data.ts';
import { loadTypeDetails } from './queries/load-type-details.ts';
import { DatabaseMasters } from './services.ts';
import type { MastersTables } from './tables.ts';

export default serverPlugin<typeof manifest, MastersTables>()({
  migrations: [createMasterTable, countVersions, indexParents, changeTypes],
  api: (api, context) => {
    const personMasters = context.service(PersonMasters);
    const masters = new DatabaseMasters(context.tables);
    context.changes.register({
      tables: {
        master_type: { key: ['code'], name: 'code', version: 'row_version' },
        master: { key: ['uid'], name: 'name', version: 'row_version' },
      },
      findBlocked: (transaction, rows) => findUsedMasters(masters, transaction, rows),
    });
    context.provide(Masters, masters);
    masters.registerUse({
      message: 'masters.use.people',
      count: (...args) => personMasters.countPeople(...args),
    });
    personMasters.setRows(sql`
      select master.uid, master.type, master.name, master.french_name, master.active and type.active as active
      from masters.master join masters.master_type as type on type.code = master.type`);
    api.serve(listMasterTypes, () => masters.listTypes());
    api.serve(listActiveMasters, async ({ params }) => [...(await masters.listActive(params.type))]);

    api.serve(listMasterTypeDetails, () => loadTypeDetails(context.tables));
    api.serve(updateMasterType, (call) => saveMasterType(context, call, call.params.type, call.body));
    api.serve(listMasterData, ({ query }) => listMasters(context.tables, query));
    api.serve(getMasterData, async ({ params }) => {
      const master = await findMasterData(context.tables, params.master);
      if (!master) throw notFound('This master');
      const types = await masters.listTypes();
      return {
        ...master,
        typeActive: types.some(({ code, active }) => code === master.type && active),
        uses: await masters.listUses(master.uid),
      };
    });
    api.serve(createMaster, (call) => addMaster(context, call, call.body));
    api.serve(updateMaster, (call) => saveMaster(context, call, call.params.master, call.body));
  },
  demo: () => import('./demo.ts'),
});
