import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { BodyOf } from '#core';
import { undoChange } from '#core/api';
import { enabledPlugin } from '#core/server';
import {
  buildBridge,
  describeAccess,
  describeOnDatabases,
  QueryCounter,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import { listImportKinds, pushImport } from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import { Masters, type MasterTypeCode } from '#plugins/masters';
import { listMasters, listMasterTypes } from '../contract/api.ts';
import {
  updateMaster,
  updateMasterType,
  createMaster,
  getMasterData,
  listMasterData,
  listMasterTypeDetails,
} from '../contract/api/master-data.ts';
import manifest from '../plugin.ts';
import mastersImports from './bridges/imports.ts';
import masters from './index.ts';
import { mastersSchema, type MastersTables } from './tables.ts';

type NewMaster = BodyOf<typeof createMaster>;

const plugin = enabledPlugin(manifest, {}, masters);
describeAccess('access to masters', [plugin]);

describeOnDatabases('masters', (kind) => {
  let server: TestServer;
  let token: string;
  const tables = () => server.database.of<MastersTables>(mastersSchema);

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(importsManifest, { endSessions: true }, imports), plugin],
      bridges: [buildBridge('masters', 'imports', mastersImports)],
    });
    token = await server.signIn({ flags: ['import', 'configure'], locations: 'ALL' });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await sql`truncate masters.master; update masters.master_type set active = true, row_version = 1`.execute(tables());
  });

  const buildMaster = (name: string, changes: Partial<NewMaster> = {}): NewMaster => ({
    uid: randomUUID(),
    type: 'ACTIVITY',
    name,
    frenchName: null,
    active: true,
    sequence: 0,
    parent: null,
    ...changes,
  });
  const create = async (name: string, changes: Partial<NewMaster> = {}) => {
    const body = buildMaster(name, changes);
    const reply = await server.call(createMaster, { token, body });
    expect(reply).toMatchObject({ status: 201, body: { change: expect.any(String) } });
    return { ...body, change: String(reply.body.change) };
  };
  const update = (
    { uid, type: _, change: __, ...values }: NewMaster & { readonly change?: string },
    changes: Partial<BodyOf<typeof updateMaster>> = {},
  ) => server.call(updateMaster, { token, params: { master: uid }, body: { ...values, version: 1, ...changes } });
  const setType = (type: MasterTypeCode, active: boolean, version: number, restore = false) =>
    server.call(updateMasterType, { token, params: { type }, body: { active, version, restore } });
  const undo = async (uid: string | null) =>
    server.call(undoChange, { token, params: { change: String(uid) }, body: {} });
  const list = async (query: object = {}) => (await server.call(listMasterData, { token, query })).body;
  const readStates = async () =>
    (await list({ sort: 'name' })).rows.map(({ name, active }) => `${name} ${active ? 'active' : 'inactive'}`);
  const findType = async (type: MasterTypeCode) =>
    (await server.call(listMasterTypeDetails, { token })).body.find(({ code }) => code === type)!;

  it('[ADM-06] are created with trimmed names, renamed, and undone', async () => {
    const planning = await create('  Planning ', { frenchName: ' Planification ', sequence: 2, type: 'TYPE_OF_WORK' });
    expect((await list()).rows).toEqual([
      {
        uid: planning.uid,
        type: 'TYPE_OF_WORK',
        name: 'Planning',
        frenchName: 'Planification',
        active: true,
        sequence: 2,
        parent: null,
        version: 1,
      },
    ]);
    const { body } = await update({ ...planning, name: 'Plans', frenchName: ' ' });
    expect((await list()).rows).toMatchObject([{ name: 'Plans', frenchName: null, version: 2 }]);
    expect((await update({ ...planning, name: 'Other' })).body).toMatchObject({
      current: { name: 'Plans', version: 2 },
    });
    await undo(body.change);
    expect((await list()).rows).toMatchObject([{ name: 'Planning', frenchName: 'Planification' }]);
    await undo(planning.change);
    expect((await list()).total).toBe(0);
  });

  it('[ADM-06] are offered in their order while they and their type are active', async () => {
    const { body: types } = await server.call(listMasterTypes, { token });
    expect(types).toEqual(
      ['TYPE_OF_WORK', 'ACTIVITY', 'USER_TYPE', 'SECTION', 'DEPARTMENT', 'DIVISION', 'BUSINESS_UNIT'].map((code) => ({
        code,
        active: true,
      })),
    );
    await create('Lifting', { sequence: 1 });
    await create('Walking');
    await create('Isolation', { frenchName: 'Consignation' });
    await create('Diving', { active: false });
    await create('Lifting', { type: 'SECTION' });
    const listNames = async (type: MasterTypeCode) =>
      (await server.call(listMasters, { params: { type }, token })).body.map(({ name, frenchName }) => [
        name,
        frenchName,
      ]);
    expect(await listNames('ACTIVITY')).toEqual([
      ['Isolation', 'Consignation'],
      ['Walking', null],
      ['Lifting', null],
    ]);
    await setType('ACTIVITY', false, 1);
    expect(await listNames('ACTIVITY')).toEqual([]);
    expect(await listNames('SECTION')).toEqual([['Lifting', null]]);
  });

  it('[VAL-01] [VAL-04] [VAL-05] [VAL-10] [VAL-11] [VAL-12] are refused by the rules of the form', async () => {
    const lifting = await create('Lifting');
    const readReply = async (changes: Partial<NewMaster>) =>
      (await server.call(createMaster, { token, body: buildMaster('Diving', changes) })).body as never as object;
    const buildFieldError = (pointer: string, name: string, values?: object) => ({
      fields: [{ pointer, message: `core.validation.${name}`, ...(values ? { values } : {}) }],
    });
    expect(await readReply({ name: ' ' })).toMatchObject(buildFieldError('/name', 'mandatory'));
    expect(await readReply({ name: 'a'.repeat(101) })).toMatchObject(
      buildFieldError('/name', 'maxLength', { max: 100 }),
    );
    expect(await readReply({ name: 'A <b>' })).toMatchObject(buildFieldError('/name', 'specialChars'));
    expect(await readReply({ sequence: 1.5 })).toMatchObject(buildFieldError('/sequence', 'integer'));
    expect(await readReply({ sequence: -1 })).toMatchObject(buildFieldError('/sequence', 'positive'));
    expect(await readReply({ name: 'LIFTING ' })).toMatchObject(
      buildFieldError('/name', 'duplicate', { value: 'LIFTING' }),
    );
    const diving = await create('Diving');
    expect((await update({ ...diving, name: 'lifting' })).body).toMatchObject(
      buildFieldError('/name', 'duplicate', { value: 'lifting' }),
    );
    // A repeated request after a lost reply creates nothing twice.
    const { change: changeUid, ...body } = lifting;
    expect(await server.call(createMaster, { token, body })).toMatchObject({
      status: 201,
      body: { change: changeUid },
    });
    expect(await readStates()).toEqual(['Diving active', 'Lifting active']);
  });

  it('have active parents of the parent type only, and list the references to them', async () => {
    const division = await create('North', { type: 'DIVISION' });
    const inactive = await create('South', { type: 'DIVISION', active: false });
    const department = await create('Wells', { type: 'DEPARTMENT', parent: division.uid });
    for (const parent of [department.uid, inactive.uid, randomUUID()])
      expect(
        (await server.call(createMaster, { token, body: buildMaster('Rigs', { type: 'DEPARTMENT', parent }) })).body,
      ).toMatchObject({ fields: [{ pointer: '/parent' }] });
    server.service(Masters).registerUse({
      message: 'test.uses',
      count: async (_, uids) => new Map(uids.flatMap((uid) => (uid === division.uid ? [[uid, 3]] : []))),
    });
    const { body } = await server.call(getMasterData, { token, params: { master: division.uid } });
    expect(body).toMatchObject({
      name: 'North',
      typeActive: true,
      uses: [
        { message: 'masters.use.children', count: 1 },
        { message: 'test.uses', count: 3 },
      ],
    });
    expect((await list({ type: 'DEPARTMENT' })).rows[0]).toMatchObject({
      parent: { uid: division.uid, name: 'North' },
    });
    // An inactive parent stays on old records.
    await update(division, { active: false });
    expect((await update({ ...department, sequence: 5 })).status).toBe(200);
  });

  it('stay while people or a plugin refer to them, because the undo of their creation is refused', async () => {
    const body = buildMaster('Prestataire', { type: 'USER_TYPE' });
    const { change: creation } = (await server.call(createMaster, { token, body })).body;
    const { uid } = await server.addPerson();
    const setUserType = (master: string | null) =>
      sql`update core.user_account set user_type_master = ${master} where uid = ${uid}`.execute(tables());
    await setUserType(body.uid);
    const { uses } = (await server.call(getMasterData, { token, params: { master: body.uid } })).body;
    expect(uses).toContainEqual({ message: 'masters.use.people', count: 1 });
    const undoCreation = () => server.call(undoChange, { token, params: { change: creation! }, body: {} });
    expect(await undoCreation()).toMatchObject({
      status: 409,
      body: { refusal: { message: 'core.refused.undoUsed' } },
    });
    await setUserType(null);
    let forms = 1;
    server.service(Masters).registerUse({
      message: 'test.forms',
      count: async (_, uids) => new Map(uids.map((master) => [master, master === body.uid ? forms : 0])),
    });
    expect((await undoCreation()).status).toBe(409);
    forms = 0;
    expect((await undoCreation()).status).toBe(200);
  });

  it('[ADM-07] deactivates all masters of a type, and reactivates all of them or only those that were active before', async () => {
    await create('Lifting');
    await create('Diving', { active: false });
    await create('Other', { type: 'SECTION' });
    expect(await findType('ACTIVITY')).toMatchObject({ active: true, masters: 2, activeMasters: 1, version: 1 });
    const deactivationReply = await setType('ACTIVITY', false, 1);
    expect(await readStates()).toEqual(['Diving inactive', 'Lifting inactive', 'Other active']);
    expect(await findType('ACTIVITY')).toMatchObject({
      active: false,
      masters: 2,
      activeMasters: 0,
      formerlyActive: 1,
    });
    expect(await setType('ACTIVITY', true, 1)).toMatchObject({ status: 409, body: { current: { version: 2 } } });
    expect((await setType('ACTIVITY', false, 2)).body).toEqual({ change: null });

    await setType('ACTIVITY', true, 2, true);
    expect(await readStates()).toEqual(['Diving inactive', 'Lifting active', 'Other active']);
    await setType('ACTIVITY', false, 3);
    const { body } = await setType('ACTIVITY', true, 4);
    expect(await readStates()).toEqual(['Diving active', 'Lifting active', 'Other active']);
    await undo(body.change);
    expect(await findType('ACTIVITY')).toMatchObject({ active: false, formerlyActive: 1 });
    await undo(deactivationReply.body.change);
    expect(await readStates()).toEqual(['Diving inactive', 'Lifting active', 'Other active']);
  });

  it('[RTE-13:masters] have an import kind', async () => {
    const { body } = await server.call(listImportKinds, { token });
    expect(body.map(({ id }) => id)).toEqual(['masters.masters']);
  });

  it('[ADM-07] keeps masters of an inactive type inactive, also imported masters', async () => {
    const diving = await create('Diving', { active: false });
    await setType('ACTIVITY', false, 1);
    const { body } = await server.call(createMaster, { token, body: buildMaster('Lifting') });
    expect(body).toMatchObject({ fields: [{ pointer: '/active' }] });
    expect((await update(diving, { active: true })).body).toMatchObject({ fields: [{ pointer: '/active' }] });
    const row = { type: 'ACTIVITY', name: 'Lifting', status: 'Active' };
    const pushReply = await server.call(pushImport, {
      token,
      body: { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT', dryRun: true, sheets: { masters: [row] } },
    });
    expect(pushReply.body.findings).toMatchObject([
      { column: 'status', message: 'masters.refused.typeInactive', values: { type: 'ACTIVITY' } },
    ]);
  });

  it('are listed in pages by type, text and status, with a constant number of statements', async () => {
    await create('Job_1', { sequence: 3 });
    const otherMaster = await create('Walking', { frenchName: 'Job à pied', sequence: 1 });
    await create('Job 2', { sequence: 2, active: false });
    await create('First', { type: 'TYPE_OF_WORK' });
    const names = async (query: object) => (await list(query)).rows.map(({ name }) => name);
    expect(await names({})).toEqual(['Walking', 'Job 2', 'Job_1', 'First']);
    expect(await names({ text: 'job' })).toEqual(['Walking', 'Job 2', 'Job_1']);
    expect(await names({ text: 'b_' })).toEqual(['Job_1']);
    expect(await names({ status: 'INACTIVE' })).toEqual(['Job 2']);
    expect(await names({ type: 'ACTIVITY', sort: 'sequence', descending: 'true' })).toEqual([
      'Job_1',
      'Job 2',
      'Walking',
    ]);
    expect(await list({ type: 'ACTIVITY', sort: 'name', offset: 2, limit: 1 })).toMatchObject({
      total: 3,
      offset: 2,
      rows: [{ uid: otherMaster.uid }],
    });
    const counter = new QueryCounter(server.database);
    const countStatements = async () => {
      const { version } = await findType('ACTIVITY');
      const { statements } = await counter.record(() => setType('ACTIVITY', version % 2 === 0, version));
      return statements.length;
    };
    const statementCount = await countStatements();
    await tables()
      .insertInto('master')
      .values(Array.from({ length: 40 }, (_, index) => ({ ...buildRow(`Many ${index}`), uid: randomUUID() })))
      .execute();
    expect(await countStatements()).toBe(statementCount);
  });
  const buildRow = (name: string) => ({
    type: 'ACTIVITY' as const,
    name,
    french_name: null,
    active: false,
    position: 0,
    parent: null,
  });
});
