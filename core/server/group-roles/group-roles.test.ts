import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basePath, routes, type AccessFlag } from '#core';
import {
  assignRole,
  updatePerson,
  createGroupRole,
  deleteGroupRole,
  exchangeCode,
  getPerson,
  listAuditEntries,
  listGroupRoleChoices,
  listGroupRoles,
  startSignOn,
  undoChange,
  type ChangedPerson,
} from '#core/api';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity-provider.ts';
import { describeOnDatabases, startTestServer, type TestServer } from '../../testing/server.ts';
import { Roles } from '../access/roles.ts';
import { Accounts } from '../auth/accounts.ts';

const publicUrl = 'https://tours.example';

let provider: TestIdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider(`${publicUrl}${basePath}/${routes.signOnReturn.path}`);
});
afterAll(() => provider.stop());

describeOnDatabases('roles from groups of an identity provider', (kind) => {
  const lines: string[] = [];
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      config: { publicUrl, signOn: { first: { ...provider.configuration, groupsClaim: 'groups' } } },
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    });
    token = await server.signIn({ userType: 'TENANT_ADMIN', flags: 'all' });
  });
  afterAll(() => server.close());

  const addRole = async (name: string, flags: readonly AccessFlag[] = []) =>
    (await server.service(Roles).create({ name, flags, allLocations: false })).uid;
  const map = (group: string, role: string, callerToken = token, uid: string = randomUUID()) =>
    server.call(createGroupRole, { body: { uid, provider: 'first', group, role }, token: callerToken });
  const listMappings = async () => (await server.call(listGroupRoles, { query: {}, token })).body.rows;
  const getPersonOf = async (person: string) => (await server.call(getPerson, { params: { person }, token })).body;
  const getRoles = async (person: string) =>
    Object.fromEntries((await getPersonOf(person)).roles.map(({ uid, fromGroup }) => [uid, fromGroup]));
  /** Signs in at the provider as `<subject>|<email>|<groups>`. */
  const signIn = async (login: string) => {
    const jar = new CookieJar();
    const start = await server.call(startSignOn, { query: { provider: 'first' }, headers: {} });
    jar.store(start.headers);
    const { searchParams } = await provider.signIn(start.body.address, login);
    const answer = await server.call(exchangeCode, {
      query: { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' },
      headers: jar.headersFor(exchangeCode.path),
    });
    expect(answer.status).toBe(200);
  };

  const change = async (person: string, roles: Pick<ChangedPerson, 'roles' | 'removedGroupRoles'>) =>
    server.call(updatePerson, {
      params: { person },
      body: {
        name: 'Ann',
        accountType: 'TENANT_USER',
        status: 'ACTIVE',
        version: (await getPersonOf(person)).version,
        userType: null,
        section: null,
        department: null,
        division: null,
        businessUnit: null,
        ...roles,
      },
      token,
    });

  it('replaces roles from groups at each sign-in, and keeps roles that admins granted', async () => {
    const [crew, lead] = [await addRole('Crew'), await addRole('Lead')];
    await map('plant-crew', crew);
    await map('plant-lead', lead);
    const ann = await server.addPerson({ username: 'ann@example.com' });
    await signIn('ann|ann@example.com|plant-crew,plant-lead,unknown');
    expect(await getRoles(ann.uid)).toEqual({ [ann.role]: false, [crew]: true, [lead]: true });
    await signIn('ann|ann@example.com|plant-lead');
    expect(await getRoles(ann.uid)).toEqual({ [ann.role]: false, [lead]: true });
    const { rows } = (await server.call(listAuditEntries, { query: { subject: ann.uid, area: 'PEOPLE' }, token })).body;
    expect(rows[0]).toMatchObject({ action: 'people.rolesFromGroups', details: { added: [], removed: [crew] } });
    for (const login of ['ann|ann@example.com', 'ann|ann@example.com|*']) await signIn(login);
    expect(await getRoles(ann.uid)).toEqual({ [ann.role]: false, [lead]: true });
    expect(lines.flatMap((line) => (JSON.parse(line) as { groups?: string }).groups ?? [])).toEqual([
      'ABSENT',
      'OVERAGE',
    ]);
    expect((await change(ann.uid, { roles: [crew] })).status).toBe(200);
    expect(await getRoles(ann.uid)).toEqual({ [crew]: false, [lead]: true });
    await signIn('ann|ann@example.com|');
    expect(await getRoles(ann.uid)).toEqual({ [crew]: false });
  });

  it('lets an admin remove a role from a group, and keeps a role that an admin also granted', async () => {
    const [yard, dock, gate] = [await addRole('Yard'), await addRole('Dock'), await addRole('Gate')];
    for (const [group, role] of [
      ['yard', yard],
      ['dock', dock],
      ['gate', gate],
    ] as const)
      await map(group, role);
    const { uid } = await server.addPerson({ username: 'bea@example.com' });
    const login = 'bea|bea@example.com|yard,dock,gate';
    await signIn(login);
    expect((await change(uid, { roles: [yard], removedGroupRoles: [dock] })).status).toBe(200);
    expect(await getRoles(uid)).toEqual({ [yard]: false, [gate]: true });
    await signIn(login);
    expect(await getRoles(uid)).toEqual({ [yard]: false, [dock]: true, [gate]: true });
    const assignReply = await server.call(assignRole, { body: { people: [uid], role: gate }, token });
    expect(await getRoles(uid)).toEqual({ [yard]: false, [dock]: true, [gate]: false });
    await server.call(undoChange, { params: { change: assignReply.body.change ?? '' }, body: {}, token });
    expect(await getRoles(uid)).toEqual({ [yard]: false, [dock]: true, [gate]: true });
    await server.service(Accounts).update(uid, { roles: [dock] });
    await signIn('bea|bea@example.com|');
    expect(await getRoles(uid)).toEqual({ [dock]: false });
  });

  it('maps groups to roles only within the access of the caller, once for a repeated request, and undoes it', async () => {
    const viewer = await addRole('Viewer', ['vrAccess']);
    const uid = randomUUID();
    const createReply = await map(' viewers ', viewer, token, uid);
    expect([createReply.status, (await map('viewers', viewer, token, uid)).body]).toEqual([201, createReply.body]);
    expect((await map('viewers', viewer)).refusal.refusal?.message).toBe('core.refused.groupRoleTaken');
    expect((await map('viewers', 'gone')).status).toBe(400);
    const clerk = await server.signIn({ flags: ['userManagement'], locations: [] });
    expect((await map('others', viewer, clerk)).refusal.refusal?.message).toBe('core.refused.roleExceedsOwnAccess');
    const remove = (callerToken: string) =>
      server.call(deleteGroupRole, { params: { groupRole: uid }, body: {}, token: callerToken });
    expect((await remove(clerk)).status).toBe(403);
    const choices = (await server.call(listGroupRoleChoices, { token: clerk })).body;
    expect(choices.providers).toEqual([{ id: 'first', claim: 'groups' }]);
    expect(choices.roles.some((role) => role.uid === viewer)).toBe(false);
    const removeReply = await remove(token);
    expect((await listMappings()).some((row) => row.uid === uid)).toBe(false);
    const undo = (callerToken: string) =>
      server.call(undoChange, { params: { change: removeReply.body.change ?? '' }, body: {}, token: callerToken });
    expect((await undo(clerk)).status).toBe(403);
    expect((await undo(token)).status).toBe(200);
    expect((await listMappings()).find((row) => row.uid === uid)).toMatchObject({
      group: 'viewers',
      role: { name: 'Viewer' },
    });
    expect((await remove(token)).status).toBe(200);
    expect((await remove(token)).status).toBe(404);
  });
});

describeOnDatabases('the last admin and groups', (kind) => {
  it('keeps the roles of the last admin, whatever the provider says', async () => {
    const server = await startTestServer({
      database: kind,
      config: { publicUrl, signOn: { first: { ...provider.configuration, groupsClaim: 'groups' } } },
    });
    const admin = await server.addPerson({
      username: 'boss@example.com',
      userType: 'TENANT_ADMIN',
      flags: ['userManagement', 'configure'],
    });
    await server.database.query('update core.user_role set from_group = true');
    const start = await server.call(startSignOn, { query: { provider: 'first' } });
    const jar = new CookieJar();
    jar.store(start.headers);
    const { searchParams } = await provider.signIn(start.body.address, 'boss|boss@example.com|');
    const answer = await server.call(exchangeCode, {
      query: { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' },
      headers: jar.headersFor(exchangeCode.path),
    });
    const { rows } = await server.database
      .of<{ user_role: { account: string; role: string } }>('core')
      .selectFrom('user_role')
      .select('role')
      .execute()
      .then((roleRows) => ({ rows: roleRows }));
    expect([answer.status, rows]).toEqual([200, [{ role: admin.role }]]);
    await server.close();
  });
});
