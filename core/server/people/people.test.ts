import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessFlags, personColumns, type PersonColumn } from '#core';
import {
  assignRole,
  updatePerson,
  createPerson,
  getMe,
  getPerson,
  inviteUser,
  listAuditEntries,
  listPeople,
  listPersonChoices,
  repeatInvitation,
  savePreferences,
  saveProfile,
  setPeopleStatus,
  undoChange,
  type ChangedPerson,
  type Person,
} from '#core/api';
import { readMails } from '../../testing/auth-server.ts';
import {
  describeOnDatabases,
  QueryCounter,
  soakCount,
  startTestServer,
  type TestPerson,
  type TestServer,
} from '../../testing/server.ts';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import { PersonMasters } from './person-masters.ts';

const listedPeopleCount = soakCount(300, 100_000);
const noMasters = { userType: null, section: null, department: null, division: null, businessUnit: null };

describeOnDatabases('people', (kind) => {
  let server: TestServer;
  let admin: TestPerson;
  let token: string;
  let staffRole: string;
  let crewRole: string;
  let unitRole: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    server.service(PersonMasters).setRows(sql`
      select * from (values
        ('contractor', 'USER_TYPE', 'Contractor', 'Prestataire', true), ('ops', 'SECTION', 'Operations', null, true),
        ('old', 'SECTION', 'Abandoned', null, false)) as master (uid, type, name, french_name, active)`);
    const site = { name: 'K', label: '', parent: null, root: 'K', locationType: 'PRIMARY_LOCATION' } as const;
    await server.service(LocationStore).upsert([
      { ...site, uid: 'K' },
      { ...site, uid: 'K-1', parent: 'K', locationType: 'PLATFORM_UNIT' },
    ]);
    const roles = server.service(Roles);
    staffRole = (await roles.create({ name: 'Staff', flags: ['vrAccess'], allLocations: false, locations: ['K'] })).uid;
    unitRole = (await roles.create({ name: 'Below', flags: ['vrAccess'], allLocations: false, locations: ['K-1'] }))
      .uid;
    crewRole = (await roles.create({ name: 'Crew', flags: [], allLocations: false })).uid;
    admin = await server.addPerson({ userType: 'TENANT_ADMIN', flags: 'all', username: 'admin@example.test' });
    token = await server.signIn(admin);
  });
  afterAll(() => server.close());

  const get = async (person: string): Promise<Person> =>
    (await server.call(getPerson, { params: { person }, token })).body;
  const toValues = (person: Person): ChangedPerson => ({
    name: person.name,
    accountType: person.accountType,
    status: person.status === 'INACTIVE' ? 'INACTIVE' : 'ACTIVE',
    version: person.version,
    roles: person.roles.map(({ uid }) => uid),
    userType: person.userType?.uid ?? null,
    section: person.section?.uid ?? null,
    department: person.department?.uid ?? null,
    division: person.division?.uid ?? null,
    businessUnit: person.businessUnit?.uid ?? null,
  });
  const change = async (uid: string, changes: Partial<ChangedPerson>, callerToken = token) =>
    server.call(updatePerson, {
      params: { person: uid },
      body: { ...toValues(await get(uid)), ...changes },
      token: callerToken,
    });
  const undo = (uid: string | null, callerToken = token) =>
    server.call(undoChange, { params: { change: uid ?? '' }, body: {}, token: callerToken });

  it('[ADM-02] invites a person by mail with masters and roles; a repeated request sends no second invitation', async () => {
    const body = {
      uid: randomUUID(),
      username: 'Anna@Example.test',
      name: ' Anna Berg ',
      accountType: 'TENANT_USER' as const,
      ...noMasters,
      userType: 'contractor',
      section: 'ops',
      roles: [staffRole],
    };
    const createReply = await server.call(createPerson, { body, token });
    expect(createReply.status).toBe(201);
    expect((await server.call(createPerson, { body, token })).body).toEqual(createReply.body);
    expect(await get(body.uid)).toMatchObject({
      username: 'anna@example.test',
      name: 'Anna Berg',
      status: 'INVITED',
      userType: { name: 'Contractor', frenchName: 'Prestataire' },
      section: { name: 'Operations' },
      department: null,
      roles: [{ uid: staffRole, name: 'Staff', status: 'ACTIVE' }],
    });
    const countMails = async () => (await readMails(server)).filter(({ to }) => to === 'anna@example.test').length;
    expect(await countMails()).toBe(1);
    expect((await server.call(repeatInvitation, { params: { person: body.uid }, body: {}, token })).status).toBe(200);
    expect(await countMails()).toBe(2);
    const secondReply = await server.call(createPerson, { body: { ...body, uid: randomUUID() }, token });
    expect(secondReply).toMatchObject({ status: 409, refusal: { refusal: { message: 'core.refused.usernameTaken' } } });
    const withInactiveSection = await server.call(createPerson, {
      body: { ...body, uid: randomUUID(), section: 'old' },
      token,
    });
    expect(withInactiveSection).toMatchObject({
      status: 400,
      refusal: { refusal: { message: 'core.refused.personChoice' } },
    });
    // Another invitation mail changed the account since.
    expect(await undo(createReply.body.change)).toMatchObject({ status: 409 });
  });

  it('[ADM-02] changes a person, refuses an outdated version and returns the current values, and undoes the change', async () => {
    const { uid } = await server.addPerson({ username: 'ben@example.test' });
    const formerPerson = await get(uid);
    const { body } = await change(uid, { name: 'Ben Carr', section: 'ops', roles: [staffRole, crewRole] });
    expect(await get(uid)).toMatchObject({
      name: 'Ben Carr',
      section: { uid: 'ops' },
      roles: [{ name: 'Crew' }, { name: 'Staff' }],
    });
    expect((await change(uid, {})).body).toEqual({ change: null });
    expect(await change(uid, { name: 'B', version: formerPerson.version })).toMatchObject({
      status: 409,
      refusal: { refusal: { message: 'core.refused.personChanged' }, current: { name: 'Ben Carr' } },
    });
    const audit = await server.call(listAuditEntries, { query: { subject: uid }, token });
    expect(audit.body.rows[0]).toMatchObject({
      action: 'people.changed',
      change: { uid: body.change, access: 'userManagement', undone: false },
    });
    expect(JSON.stringify(audit.body)).not.toMatch(/password_hash/);
    const version = (await get(uid)).version;
    expect((await undo(body.change)).status).toBe(200);
    expect(await get(uid)).toEqual({ ...formerPerson, version: expect.any(Number) as number });
    expect((await get(uid)).version).toBeGreaterThan(version);
  });

  it('ends the sessions of people who are deactivated: the next request answers 401 E006', async () => {
    const people = await Promise.all(
      ['c@example.test', 'd@example.test'].map((username) => server.addPerson({ username })),
    );
    const tokens = await Promise.all(people.map((person) => server.signIn(person)));
    const call = async (each: string) => server.call(getMe, { token: each });
    expect((await call(tokens[0]!)).status).toBe(200);
    const counter = new QueryCounter(server.database);
    const body = { people: people.map(({ uid }) => uid), status: 'INACTIVE' as const };
    const singleChange = await counter.record(() =>
      server.call(setPeopleStatus, { body: { ...body, people: [people[0]!.uid] }, token }),
    );
    const { result, statements } = await counter.record(() => server.call(setPeopleStatus, { body, token }));
    // Job runners, which are notified of the change, may query the database at any time.
    const count = (all: readonly string[]) =>
      all.filter((statement) => !/\bjob\b|\bbegin\b|\bcommit\b/.test(statement)).length;
    expect(count(statements)).toBe(count(singleChange.statements));
    expect(await call(tokens[0]!)).toMatchObject({
      status: 401,
      refusal: { code: 'E006', message: 'E006: Inactive User' },
    });
    expect(await call(tokens[1]!)).toMatchObject({ status: 401, refusal: { code: 'E006' } });
    expect((await undo(result.body.change)).status).toBe(200);
    expect((await get(people[1]!.uid)).status).toBe('ACTIVE');
    expect(await call(tokens[1]!)).toMatchObject({ status: 401, refusal: { code: 'E005' } });
  });

  it('invites people by mail if they are reactivated and never signed in', async () => {
    const uid = randomUUID();
    const username = 'late@example.test';
    const person = { uid, username, name: 'Late', accountType: 'TENANT_USER' as const, ...noMasters, roles: [] };
    await server.call(createPerson, { body: person, token });
    const setStatus = (status: 'ACTIVE' | 'INACTIVE') =>
      server.call(setPeopleStatus, { body: { people: [uid], status }, token });
    await setStatus('INACTIVE');
    const countMails = async () => (await readMails(server)).filter(({ to }) => to === username).length;
    const before = await countMails();
    await setStatus('ACTIVE');
    expect(await get(uid)).toMatchObject({ status: 'INVITED', invitedAt: expect.any(String) as string });
    expect(await countMails()).toBe(before + 1);
  });

  it('grants a role to several people', async () => {
    const people = [(await server.addPerson()).uid, (await server.addPerson()).uid];
    const { body } = await server.call(assignRole, { body: { people, role: crewRole }, token });
    expect((await get(people[1]!)).roles.map(({ uid }) => uid)).toContain(crewRole);
    await undo(body.change);
    expect((await get(people[1]!)).roles.map(({ uid }) => uid)).not.toContain(crewRole);
    const unknown = await server.call(assignRole, { body: { people, role: 'none' }, token });
    expect(unknown).toMatchObject({ status: 400, refusal: { refusal: { message: 'core.refused.personChoice' } } });
  });

  describe('the rules of changes', () => {
    it('keep admins from deactivating their own account, and from removing the last admin, also by an undo', async () => {
      expect(await change(admin.uid, { status: 'INACTIVE' })).toMatchObject({
        status: 409,
        refusal: { refusal: { message: 'core.refused.ownAccount' } },
      });
      const demotions = [{ accountType: 'TENANT_USER' as const }, { roles: [staffRole] }];
      for (const demotion of demotions)
        expect(await change(admin.uid, demotion)).toMatchObject({
          status: 409,
          refusal: { refusal: { message: 'core.refused.lastAdmin' } },
        });
      const second = await server.addPerson({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
      const promoteReply = await change(second.uid, { roles: [second.role, admin.role] });
      const secondToken = await server.signIn(second);
      expect((await change(admin.uid, { roles: [second.role] }, secondToken)).status).toBe(200);
      expect(await undo(promoteReply.body.change, secondToken)).toMatchObject({
        status: 409,
        refusal: { refusal: { message: 'core.refused.lastAdmin' } },
      });
      const both = { people: [second.uid], status: 'INACTIVE' as const };
      expect(await server.call(setPeopleStatus, { body: both, token })).toMatchObject({
        refusal: { refusal: { message: 'core.refused.lastAdmin' } },
      });
      expect((await change(admin.uid, { roles: [admin.role] }, secondToken)).status).toBe(200);
    });

    it('keep people other than admins from granting or managing more than their own access', async () => {
      const clerk = await server.addPerson({ flags: ['userManagement', 'vrAccess'], locations: ['K'] });
      const callerToken = await server.signIn(clerk);
      const person = (await server.addPerson({ flags: [], locations: [] })).uid;
      expect((await change(person, { roles: [staffRole] }, callerToken)).status).toBe(200);
      expect(await change(person, { accountType: 'TENANT_ADMIN' }, callerToken)).toMatchObject({
        status: 403,
        refusal: { refusal: { message: 'core.refused.grantAdmin' } },
      });
      expect(await change(person, { roles: [admin.role] }, callerToken)).toMatchObject({
        status: 403,
        refusal: { refusal: { message: 'core.refused.grantMore' } },
      });
      expect(await change(clerk.uid, { roles: [clerk.role, admin.role] }, callerToken)).toMatchObject({
        refusal: { refusal: { message: 'core.refused.grantMore' } },
      });
      expect(await change(admin.uid, { name: 'Mine' }, callerToken)).toMatchObject({
        refusal: { refusal: { message: 'core.refused.grantAdmin' } },
      });
      const strong = await server.addPerson({ flags: accessFlags });
      const status = { people: [person, strong.uid], status: 'INACTIVE' as const };
      expect(await server.call(setPeopleStatus, { body: status, token: callerToken })).toMatchObject({
        refusal: { refusal: { message: 'core.refused.grantMore' } },
      });
      expect((await get(person)).status).toBe('ACTIVE');
      await change(person, { roles: [admin.role] });
      const withoutRoles = await change(person, { roles: [] });
      expect(await undo(withoutRoles.body.change, callerToken)).toMatchObject({
        status: 403,
        refusal: { refusal: { message: 'core.refused.grantMore' } },
      });
    });

    it('keep admins from granting or revoking roles beyond their own access, which includes locations below theirs', async () => {
      const weak = await server.addPerson({
        userType: 'TENANT_ADMIN',
        flags: ['userManagement', 'vrAccess'],
        locations: ['K'],
      });
      const callerToken = await server.signIn(weak);
      const refusedReply = { status: 403, refusal: { refusal: { message: 'core.refused.grantMore' } } };
      expect(await change(weak.uid, { roles: [weak.role, admin.role] }, callerToken)).toMatchObject(refusedReply);
      const strong = await server.addPerson({ userType: 'TENANT_ADMIN', flags: 'all' });
      expect(await change(strong.uid, { roles: [] }, callerToken)).toMatchObject(refusedReply);
      expect((await change(strong.uid, { roles: [strong.role, unitRole] }, callerToken)).status).toBe(200);
    });

    it('require userManagement to undo a change of people', async () => {
      const { uid } = await server.addPerson();
      const { body } = await change(uid, { name: 'Renamed' });
      const otherAdminToken = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['configure'] });
      expect((await undo(body.change, otherAdminToken)).status).toBe(403);
    });
  });

  describe('the list', () => {
    const list = async (query: Parameters<typeof call>[0] = {}) => (await call(query)).body;
    const call = (query: {
      text?: string;
      status?: 'ACTIVE' | 'INACTIVE';
      role?: string;
      sort?: PersonColumn;
      direction?: 'descending';
      limit?: number;
      offset?: number;
    }) => server.call(listPeople, { query: { limit: 1000, ...query }, token });

    it('[ADM-01] searches, filters and sorts, quickly and with as many statements for many people as for few', async () => {
      const counter = new QueryCounter(server.database);
      await list();
      const few = await counter.record(() => list({ sort: 'section' }));
      await sql`
        insert into core.user_account (uid, username, name, user_type, status, created_at, section)
        select 'p' || n, 'p' || n || '@many.test', 'Many ' || n, 'TENANT_USER', case when n % 2 = 0 then 'ACTIVE' else 'INACTIVE' end,
          now() + n * interval '1 second', case when n % 3 = 0 then 'ops' when n % 3 = 1 then 'old' end
        from generate_series(1, ${listedPeopleCount}::integer) as n`.execute(server.database.of('core'));
      await sql`insert into core.user_role select uid, ${crewRole} from core.user_account where uid in ('p1', 'p2')`.execute(
        server.database.of('core'),
      );
      const start = performance.now();
      const many = await counter.record(() => list({ sort: 'section', text: 'MANY.test' }));
      expect(many.statements.length).toBe(few.statements.length);
      expect(many.result.total).toBe(listedPeopleCount);
      for (const sort of personColumns) await list({ sort, direction: 'descending', limit: 200 });
      // 12 lists. Each takes less than a second, also of 100,000 people.
      expect(performance.now() - start).toBeLessThan(12_000);
      const sectionAt = async (offset: number) =>
        (await list({ sort: 'section', text: 'many', offset, limit: 1 })).rows[0]?.section?.name;
      expect([
        await sectionAt(0),
        await sectionAt(Math.ceil(listedPeopleCount / 3) + 1),
        await sectionAt(listedPeopleCount - 1),
      ]).toEqual(['Abandoned', 'Operations', undefined]);
      const listUids = async (text: string, status?: 'ACTIVE' | 'INACTIVE') =>
        (await list({ text, ...(status && { status }) })).rows.map(({ uid }) => uid);
      for (const [text, uid, status, otherStatus] of [
        ['p30@many', 'p30', 'ACTIVE', 'INACTIVE'],
        ['p31@many', 'p31', 'INACTIVE', 'ACTIVE'],
      ] as const)
        expect([await listUids(text), await listUids(text, status), await listUids(text, otherStatus)]).toEqual([
          [uid],
          [uid],
          [],
        ]);
      const countWith = async (status: 'ACTIVE' | 'INACTIVE') => (await list({ text: 'many', status })).total;
      expect([await countWith('ACTIVE'), await countWith('INACTIVE')]).toEqual([
        listedPeopleCount / 2,
        listedPeopleCount / 2,
      ]);
      expect((await list({ role: crewRole })).rows.map(({ uid }) => uid)).toEqual(expect.arrayContaining(['p1', 'p2']));
      const latest = await list({ text: 'many', sort: 'createdAt', direction: 'descending', limit: 1, offset: 1 });
      expect([latest.rows[0]?.uid, latest.offset, latest.total]).toEqual([
        `p${listedPeopleCount - 1}`,
        1,
        listedPeopleCount,
      ]);
      expect((await list({ text: 'many', sort: 'roles', limit: 2 })).rows.map(({ roles }) => roles[0]?.name)).toEqual([
        'Crew',
        'Crew',
      ]);
      expect((await list({ text: '%' })).total).toBe(0);
    });

    it('lists roles with their access flags and locations, and the masters', async () => {
      const { body } = await server.call(listPersonChoices, { token });
      expect(body.roles.find(({ uid }) => uid === staffRole)).toMatchObject({ flags: ['vrAccess'], locations: ['K'] });
      expect(body.masters).toHaveLength(3);
    });
  });

  it("increments a person's version for a new name, but not for new preferences", async () => {
    const person = await server.addPerson();
    const { version } = await get(person.uid);
    const ownToken = await server.signIn(person);
    await server.call(savePreferences, { body: { language: 'fr' }, token: ownToken });
    expect((await get(person.uid)).version).toBe(version);
    await server.call(saveProfile, { body: { name: 'Renamed' }, token: ownToken });
    expect((await get(person.uid)).version).toBe(version + 1);
  });

  it('finds a person whom the endpoint `inviteUser` invited', async () => {
    const body = { username: 'late@example.test', name: 'Late', userType: 'TENANT_USER' as const, roles: [] };
    const { body: invitedPerson } = await server.call(inviteUser, { body, token });
    expect(await get(invitedPerson.uid)).toMatchObject({ status: 'INVITED', accountType: 'TENANT_USER' });
  });
});
