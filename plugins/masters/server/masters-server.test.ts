import { afterAll, beforeAll, expect, it } from 'vitest';
import { enabledPlugin } from '#core/server';
import { describeAccess, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { masterTypes } from '#plugins/masters';
import { listMasters, listMasterTypes } from '../contract/api.ts';
import manifest from '../plugin.ts';
import masters from './index.ts';
import { mastersSchema, type MastersTables } from './tables.ts';

const enabled = enabledPlugin(manifest, {}, masters);
describeAccess('access to masters', [enabled]);

describeOnDatabases('masters', (kind) => {
  let server: TestServer;
  let token: string;
  const tables = () => server.server.database.of<MastersTables>(mastersSchema);
  const master = (name: string, rest: Partial<MastersTables['master']> = {}): MastersTables['master'] => ({
    uid: crypto.randomUUID(),
    type: 'ACTIVITY',
    name,
    french_name: null,
    active: true,
    position: 0,
    parent: null,
    ...rest,
  });

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabled] });
    token = await server.signIn();
    await tables()
      .insertInto('master')
      .values([
        master('Lifting', { position: 1 }),
        master('Walking'),
        master('Isolation', { french_name: 'Consignation' }),
        master('Diving', { active: false }),
        master('Inspection', { type: 'TYPE_OF_WORK' }),
      ])
      .execute();
  });
  afterAll(() => server.close());

  const listed = async (type: 'ACTIVITY' | 'TYPE_OF_WORK') =>
    (await server.call(listMasters, { params: { type }, token })).body;

  it('has the seven types from the start, all active', async () => {
    expect((await server.call(listMasterTypes, { token })).body).toEqual(
      masterTypes.map((code) => ({ code, active: true })),
    );
  });

  it('lists the active masters of a type in their order', async () => {
    expect((await listed('ACTIVITY')).map(({ name, frenchName }) => [name, frenchName])).toEqual([
      ['Isolation', 'Consignation'],
      ['Walking', null],
      ['Lifting', null],
    ]);
  });

  it('lists no masters of an inactive type', async () => {
    await tables().updateTable('master_type').set({ active: false }).where('code', '=', 'TYPE_OF_WORK').execute();
    expect(await listed('TYPE_OF_WORK')).toEqual([]);
    expect(await listed('ACTIVITY')).toHaveLength(3);
  });

  it('refuses a duplicate name in a type', async () => {
    await expect(tables().insertInto('master').values(master('LIFTING')).execute()).rejects.toThrow();
    await tables()
      .insertInto('master')
      .values(master('Lifting', { type: 'SECTION' }))
      .execute();
  });
});
