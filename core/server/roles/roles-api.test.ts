import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import {
  updateRole,
  createRole,
  deleteLocation,
  getMe,
  getRole,
  listAuditEntries,
  listRoles,
  previewRole,
  setRoleStatus,
  undoChange,
  type NewRoleInput,
} from '#core/api';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '../../testing/server.ts';
import { LocationStore } from '../access/location-store.ts';
import type { AccessTables } from '../access/access-tables.ts';
import { ensureFirstAdmin } from '../auth/ensure-first-admin.ts';

const buildRole = (uid: string, changes: Partial<NewRoleInput> = {}): NewRoleInput => ({
  uid,
  name: `Role of ${uid}`,
  flags: ['vrAccess'],
  allLocations: false,
  locations: ['K-1'],
  ...changes,
});

describeOnDatabases('the administration of roles', (kind) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    await ensureFirstAdmin(
      { database: server.database },
      { username: 'first@example.test', password: 'a password for tests' },
    );
    await server.service(LocationStore).upsert(
      [
        ['K', null],
        ['K-1', 'K'],
        ['M', null],
      ].map(([uid, parent]) => ({
        uid: uid!,
        name: uid!,
        label: '',
        parent: parent ?? null,
        root: uid!.charAt(0),
        locationType: parent ? ('PLATFORM_UNIT' as const) : ('PRIMARY_LOCATION' as const),
      })),
    );
    admin = await server.signIn({
      username: 'first@example.test',
      uid: '',
      role: '',
      password: 'a password for tests',
    });
  });
  afterAll(() => server.close());

  const create = (input: NewRoleInput, token = admin) => server.call(createRole, { body: input, token });
  const find = async (role: string) => (await server.call(getRole, { params: { role }, token: admin })).body;
  const change = async (
    role: string,
    changes: {
      name?: string;
      flags?: NewRoleInput['flags'];
      allLocations?: boolean;
      locations?: string[];
      version?: number;
    },
    token = admin,
  ) => {
    const { name, flags, allLocations, locations, version } = await find(role);
    const body = { name, flags, allLocations, locations, version, ...changes };
    return server.call(updateRole, { params: { role }, body, token });
  };
  const setStatus = async (role: string, status: 'ACTIVE' | 'INACTIVE', token = admin) =>
    server.call(setRoleStatus, { params: { role }, body: { status, version: (await find(role)).version }, token });
  const undo = (uid: string | null, token = admin) =>
    server.call(undoChange, { params: { change: uid ?? '' }, body: {}, token });

  it('[ADM-03] creates a role with ID, features and locations once, and lists it with its people', async () => {
    const first = await create(buildRole('Site-1', { flags: ['pidAccess', 'vrAccess'], locations: ['M', 'K', 'M'] }));
    expect(first).toMatchObject({ status: 201, body: { change: expect.any(String) as string } });
    const secondReply = await create(
      buildRole('Site-1', { flags: ['pidAccess', 'vrAccess'], locations: ['M', 'K', 'M'] }),
    );
    expect(secondReply.body).toEqual(first.body);
    expect(await find('Site-1')).toMatchObject({ flags: ['vrAccess', 'pidAccess'], locations: ['K', 'M'], version: 1 });
    const person = await server.addPerson();
    await server.database
      .of<AccessTables>('core')
      .insertInto('user_role')
      .values({ account: person.uid, role: 'Site-1' })
      .execute();
    const { body } = await server.call(listRoles, { query: { text: 'SITE-1' }, token: admin });
    expect(body.rows).toMatchObject([
      { uid: 'Site-1', status: 'ACTIVE', people: 1, locationCount: 2, allLocations: false, builtIn: false },
    ]);
  });

  it('[ADM-03] refuses invalid IDs and names, and those of other roles, at their fields', async () => {
    await create(buildRole('Taken', { name: 'Taken name' }));
    const tryCreate = async (input: NewRoleInput) => {
      const { status, body } = await create(input);
      return [status, (body as { fields?: unknown }).fields];
    };
    expect(await tryCreate(buildRole('taken', { name: 'TAKEN NAME' }))).toEqual([
      409,
      [
        { pointer: '/uid', message: 'core.validation.duplicate', values: { value: 'taken' } },
        { pointer: '/name', message: 'core.validation.duplicate', values: { value: 'TAKEN NAME' } },
      ],
    ]);
    expect(await tryCreate(buildRole('a b', { name: ' ' }))).toMatchObject([
      400,
      [{ pointer: '/uid' }, { pointer: '/name' }],
    ]);
    expect(await tryCreate(buildRole('angle', { name: 'a <b>' }))).toMatchObject([400, [{ pointer: '/name' }]]);
    expect(await create(buildRole('nowhere', { locations: ['nowhere'] }))).toMatchObject({
      status: 400,
      body: { refusal: { message: 'core.refused.roleLocationGone' } },
    });
    expect((await server.call(getRole, { params: { role: 'nowhere' }, token: admin })).status).toBe(404);
  });

  it('[ADM-04] refuses a role without a feature in the words of the specification', async () => {
    expect(await create(buildRole('empty', { flags: [] }))).toMatchObject({
      status: 400,
      body: { message: 'Select atleast one feature to create a role' },
    });
    await create(buildRole('emptied'));
    expect(await change('emptied', { flags: [] })).toMatchObject({
      body: { refusal: { message: 'core.refused.roleFeature' } },
    });
  });

  it('changes a role with an audit entry, undoes the change, and answers an outdated version with the current role', async () => {
    await create(buildRole('changing'));
    const { body } = await change('changing', { flags: ['scanAccess'], locations: ['M'] });
    expect(await find('changing')).toMatchObject({ flags: ['scanAccess'], locations: ['M'], version: 2 });
    expect(await change('changing', { name: 'Late', version: 1 })).toMatchObject({
      status: 409,
      body: {
        refusal: { message: 'core.refused.roleChanged' },
        current: { uid: 'changing', flags: ['scanAccess'], locations: ['M'], version: 2 },
      },
    });
    expect((await undo(body.change)).status).toBe(200);
    expect(await find('changing')).toMatchObject({ flags: ['vrAccess'], locations: ['K-1'], version: 3 });
    const audit = await server.call(listAuditEntries, { query: { area: 'PEOPLE', text: 'changing' }, token: admin });
    expect(audit.body.rows.map(({ action, name }) => [action, name])).toEqual([
      ['role.changeUndone', 'Role of changing'],
      ['role.changed', 'Role of changing'],
      ['role.created', 'Role of changing'],
    ]);
  });

  it('increments the version of a role when only its locations change', async () => {
    await create(buildRole('moving'));
    const { body } = await change('moving', { locations: ['M'] });
    expect((await find('moving')).version).toBe(2);
    await undo(body.change);
    expect(await find('moving')).toMatchObject({ locations: ['K-1'], version: 3 });
    expect(await change('moving', {})).toMatchObject({ status: 200, body: { change: null } });
  });

  it('does not restore a location that was deleted after the change', async () => {
    await server
      .service(LocationStore)
      .upsert([{ uid: 'X', name: 'X', label: '', parent: null, root: 'X', locationType: 'PRIMARY_LOCATION' }]);
    await create(buildRole('former', { locations: ['X'] }));
    await create(buildRole('open', { locations: ['M', 'X'] }));
    const { body } = await change('former', { locations: ['M'] });
    const { version } = await find('open');
    const { body: deletion } = await server.call(deleteLocation, { params: { location: 'X' }, token: admin });
    // A form that was opened before, and one that was opened after it and before the undo.
    expect(await change('open', { name: 'Open', version })).toMatchObject({
      status: 409,
      body: { current: { version: version + 1 } },
    });
    await undo(deletion.change);
    expect(await change('open', { name: 'Open', version: version + 1 })).toMatchObject({ status: 409 });
    expect(await find('open')).toMatchObject({ locations: ['M', 'X'], version: version + 2 });
    await server.call(deleteLocation, { params: { location: 'X' }, token: admin });
    expect(await undo(body.change)).toMatchObject({
      status: 409,
      body: { refusal: { message: 'core.refused.undoNeeds' } },
    });
    expect((await find('former')).locations).toEqual(['M']);
  });

  describe('own access', () => {
    it('refuses to grant, change or deactivate more than the roles of the caller allow, and to undo such a change', async () => {
      const flags = ['configure', 'vrAccess'] as const;
      const nearToken = await server.signIn({ flags, locations: ['K'], userType: 'TENANT_ADMIN' });
      const refusedReply = { status: 403, body: { refusal: { message: 'core.refused.roleExceedsOwnAccess' } } };
      expect((await create(buildRole('near-1'), nearToken)).status).toBe(201);
      for (const [index, grants] of [
        { flags: ['scanAccess' as const] },
        { locations: ['M'] },
        { allLocations: true },
      ].entries())
        expect(await create(buildRole(`beyond-${index}`, grants), nearToken)).toMatchObject(refusedReply);
      await create(buildRole('wide', { flags: ['scanAccess'] }));
      expect(await change('wide', { flags: ['vrAccess'] }, nearToken)).toMatchObject(refusedReply);
      expect(await setStatus('wide', 'INACTIVE', nearToken)).toMatchObject(refusedReply);
      const narrowReply = await change('wide', { flags: ['vrAccess'] });
      expect(await undo(narrowReply.body.change, nearToken)).toMatchObject(refusedReply);
      expect((await find('wide')).flags).toEqual(['vrAccess']);
      const placeReply = await change('wide', { locations: ['M'] });
      const replaceReply = await change('wide', { locations: ['K'] });
      expect(await undo(replaceReply.body.change, nearToken)).toMatchObject(refusedReply);
      expect(await undo(placeReply.body.change, nearToken)).toMatchObject({ status: 409 });
      expect((await find('wide')).locations).toEqual(['K']);
    });
  });

  describe('the last admin', () => {
    it('[ADM-03] keeps the built-in role of an empty product complete and active', async () => {
      expect(await find('administrator')).toMatchObject({ builtIn: true, allLocations: true, flags: [...accessFlags] });
      const refusedReply = { status: 409, body: { refusal: { message: 'core.refused.roleBuiltIn' } } };
      expect(await setStatus('administrator', 'INACTIVE')).toMatchObject(refusedReply);
      expect(await change('administrator', { flags: ['configure', 'userManagement'] })).toMatchObject(refusedReply);
      expect(await change('administrator', { allLocations: false })).toMatchObject(refusedReply);
      expect((await change('administrator', { name: 'Root' })).status).toBe(200);
    });

    it('cannot be locked out by a deactivated or emptied role, nor by an undone change', async () => {
      await create(buildRole('chief', { flags: ['configure', 'userManagement'], allLocations: true }));
      const promoteReply = await change('chief', { flags: ['configure', 'userManagement', 'import'] });
      const tables = server.database.of<AccessTables>('core');
      await sql`update core.user_role set role = 'chief' where role = 'administrator'`.execute(tables);
      await sql`update core.user_account set user_type = 'TENANT_USER' where username <> 'first@example.test'`.execute(
        tables,
      );
      const token = await server.signIn({
        username: 'first@example.test',
        uid: '',
        role: '',
        password: 'a password for tests',
      });
      const refusedReply = { status: 409, body: { refusal: { message: 'core.refused.lastAdmin' } } };
      expect(await setStatus('chief', 'INACTIVE', token)).toMatchObject(refusedReply);
      expect(await change('chief', { flags: ['configure'] }, token)).toMatchObject(refusedReply);
      await sql`update core.change_row set before = jsonb_build_object('flags', array['import'])
        where change = ${promoteReply.body.change} and table_name = 'role'`.execute(tables);
      expect(await undo(promoteReply.body.change, token)).toMatchObject(refusedReply);
      await sql`update core.user_role set role = 'administrator' where role = 'chief'`.execute(tables);
      admin = await server.signIn({
        username: 'first@example.test',
        uid: '',
        role: '',
        password: 'a password for tests',
      });
    });
  });

  it('[ADM-05] disables all permissions of a deactivated role until its reactivation, and names the role', async () => {
    const person = await server.addPerson({ flags: ['vrAccess'], locations: ['K'] });
    const token = await server.signIn(person);
    const access = async () => (await server.call(getMe, { token })).body.access;
    expect(await access()).toMatchObject({ flags: ['vrAccess'], locations: ['K'], deactivatedRoles: [] });
    const { body } = await setStatus(person.role, 'INACTIVE');
    const name = `Role ${person.role}`;
    expect(await access()).toEqual({ flags: [], locations: [], deactivatedRoles: [name] });
    expect(await find(person.role)).toMatchObject({ status: 'INACTIVE', flags: ['vrAccess'], locations: ['K'] });
    await undo(body.change);
    expect(await access()).toEqual({ flags: ['vrAccess'], locations: ['K'], deactivatedRoles: [] });
  });

  it('counts the people who would lose access, with regard to their other roles', async () => {
    const tables = server.database.of<AccessTables>('core');
    const lonePerson = await server.addPerson({ flags: ['vrAccess'], locations: ['K'] });
    const otherPerson = await server.addPerson({ flags: ['vrAccess', 'scanAccess'], locations: ['K'] });
    const nearPerson = await server.addPerson({ flags: ['vrAccess'], locations: ['K-1'] });
    const inactivePerson = await server.addPerson();
    await tables
      .updateTable('user_account')
      .set({ status: 'INACTIVE' })
      .where('uid', '=', inactivePerson.uid)
      .execute();
    await create(buildRole('counted', { flags: ['vrAccess'], locations: ['K'] }));
    await tables
      .insertInto('user_role')
      .values([otherPerson, nearPerson, inactivePerson].map(({ uid }) => ({ account: uid, role: 'counted' })))
      .execute();
    await tables.deleteFrom('user_role').where('account', '=', lonePerson.uid).execute();
    await tables.insertInto('user_role').values({ account: lonePerson.uid, role: 'counted' }).execute();
    const preview = async (changes: object) => {
      const { status, flags, allLocations, locations } = await find('counted');
      const body = { status, flags, allLocations, locations, ...changes };
      return (await server.call(previewRole, { params: { role: 'counted' }, body, token: admin })).body;
    };
    expect(await preview({ status: 'INACTIVE' })).toEqual({
      people: 3,
      losing: 2,
      withoutFeature: 1,
      flags: [{ flag: 'vrAccess', losing: 1, gaining: 0 }],
      locations: { losing: 2, gaining: 0 },
    });
    expect(await preview({ flags: ['scanAccess'], allLocations: true })).toEqual({
      people: 3,
      losing: 1,
      withoutFeature: 0,
      flags: [
        { flag: 'vrAccess', losing: 1, gaining: 0 },
        { flag: 'scanAccess', losing: 0, gaining: 2 },
      ],
      locations: { losing: 0, gaining: 3 },
    });
    expect(await preview({ locations: ['K-1'] })).toMatchObject({ losing: 2, locations: { losing: 2, gaining: 0 } });
  });

  it('lists 1,000 roles and counts 10,000 people with the same number of statements as for few', async () => {
    const tables = server.database.of<AccessTables>('core');
    const counter = new QueryCounter(server.database);
    const list = async () => {
      const { result, statements } = await counter.record(() =>
        server.call(listRoles, { query: { sort: 'people', order: 'descending', limit: 200 }, token: admin }),
      );
      return { body: result.body, count: statements.length };
    };
    const preview = async () => {
      const body = { status: 'INACTIVE' as const, flags: ['vrAccess' as const], allLocations: false, locations: [] };
      const { result, statements } = await counter.record(() =>
        server.call(previewRole, { params: { role: 'many-1' }, body, token: admin }),
      );
      return { body: result.body, count: statements.length };
    };
    await create(buildRole('many-1'));
    // The caller's access may have to be loaded again after a while.
    const measure = async () => {
      await list();
      await preview();
      return [await list(), await preview()] as const;
    };
    const [fewRoles, fewPeople] = await measure();
    await sql`
      insert into core.role (uid, name, status, flags, all_locations, created_at)
      select 'many-' || number, 'Many ' || number, 'ACTIVE', array['vrAccess'], false, now()
      from generate_series(2, 1000) number`.execute(tables);
    await sql`
      insert into core.user_account (uid, username, name, user_type, status, created_at)
      select 'p' || number, 'p' || number || '@example.test', 'P', 'TENANT_USER', 'ACTIVE', now()
      from generate_series(1, 10000) number`.execute(tables);
    await sql`
      insert into core.user_role (account, role)
      select 'p' || number, 'many-1' from generate_series(1, 10000) number
      union all select 'p' || number, 'many-' || (2 + number % 999) from generate_series(1, 10000) number`.execute(
      tables,
    );
    const [manyRoles, manyPeople] = await measure();
    expect([manyRoles.count, manyPeople.count]).toEqual([fewRoles.count, fewPeople.count]);
    expect(manyRoles.body.rows[0]).toMatchObject({ uid: 'many-1', people: 10_000 });
    expect(manyRoles.body.total).toBeGreaterThan(1000);
    expect(manyPeople.body).toMatchObject({ people: 10_000, losing: 10_000, flags: [] });
  });
});
