import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Insertable } from 'kysely';
import { enabledPlugin } from '#core/server';
import { describeAccess, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { masterTypes } from '#plugins/masters';
import { listMasters, listMasterTypes } from '../contract/api.ts';
import manifest from '../plugin.ts';
import masters from './index.ts';
import { mastersSchema, type MastersTables } from './tables.ts';

const plugin = enabledPlugin(manifest, {}, masters);
describeAccess('access to masters', [plugin]);

describeOnDatabases('masters', (kind) => {
  let server: TestServer;
  let token: string;
  const tables = () => server.server.database.of<MastersTables>(mastersSchema);
  const buildMaster = (name: string, rest: Partial<Insertable<MastersTables['master']>> = {}) => ({
    uid: crypto.randomUUID(),
    type: 'ACTIVITY' as const,
    name,
    french_name: null,
    active: true,
    position: 0,
    parent: null,
    ...rest,
  });

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [plugin] });
    token = await server.signIn();
    await tables()
      .insertInto('master')
      .values([
        buildMaster('Lifting', { position: 1 }),
        buildMaster('Walking'),
        buildMaster('Isolation', { french_name: 'Consignation' }),
        buildMaster('Diving', { active: false }),
        buildMaster('Inspection', { type: 'TYPE_OF_WORK' }),
      ])
      .execute();
  });
  afterAll(() => server.close());

  const loadMasters = async (type: 'ACTIVITY' | 'TYPE_OF_WORK') =>
    (await server.call(listMasters, { params: { type }, token })).body;

  it('starts with the seven master types, all active', async () => {
    expect((await server.call(listMasterTypes, { token })).body).toEqual(
      masterTypes.map((code) => ({ code, active: true })),
    );
  });

  it('lists the active masters of a type in their order', async () => {
    expect((await loadMasters('ACTIVITY')).map(({ name, frenchName }) => [name, frenchName])).toEqual([
      ['Isolation', 'Consignation'],
      ['Walking', null],
      ['Lifting', null],
    ]);
  });

  it('lists no masters of an inactive type', async () => {
    await tables().updateTable('master_type').set({ active: false }).where('code', '=', 'TYPE_OF_WORK').execute();
    expect(await loadMasters('TYPE_OF_WORK')).toEqual([]);
    expect(await loadMasters('ACTIVITY')).toHaveLength(3);
  });

  it('refuses a duplicate name in a type', async () => {
    await expect(tables().insertInto('master').values(buildMaster('LIFTING')).execute()).rejects.toThrow();
    await tables()
      .insertInto('master')
      .values(buildMaster('Lifting', { type: 'SECTION' }))
      .execute();
  });
});
