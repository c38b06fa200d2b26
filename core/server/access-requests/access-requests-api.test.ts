import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessFlag } from '#core';
import {
  declineAccessRequest,
  explainAccess,
  findExplainedPeople,
  getMe,
  getPerson,
  grantAccessRequest,
  listAccessRequests,
  listAuditEntries,
  listGrantableRoles,
  listOwnAccessRequests,
  sendAccessRequest,
  undoChange,
  type OwnAccessRequest,
} from '#core/api';
import { describeOnDatabases, startTestServer, type TestPerson, type TestServer } from '../../testing/server.ts';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import { Accounts } from '../auth/accounts.ts';

describeOnDatabases('requests for access', (kind) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
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
    admin = await server.signIn({ flags: 'all', userType: 'TENANT_ADMIN' });
    const roles = server.service(Roles);
    await roles.create({ uid: 'vr-k', name: 'VR at K', flags: ['vrAccess'], allLocations: false, locations: ['K'] });
    await roles.create({ uid: 'vr-m', name: 'VR at M', flags: ['vrAccess'], allLocations: false, locations: ['M'] });
    await roles.create({ uid: 'wide', name: 'Wide', flags: ['vrAccess', 'import'], allLocations: true });
    await roles.create({ uid: 'off', name: 'Off', flags: ['vrAccess'], allLocations: true });
    await roles.setStatus('off', 'INACTIVE');
  });
  afterAll(() => server.close());

  const setup = async (locations: readonly string[] = []) => {
    const person = await server.addPerson({ flags: [], locations });
    return { person, token: await server.signIn(person) };
  };
  type Subject = OwnAccessRequest['feature'];
  const send = (
    token: string,
    feature: Subject = 'vrAccess',
    location: string | null = 'K-1',
    reason = 'Isolation of V-101',
  ) => server.call(sendAccessRequest, { body: { feature, location, reason }, token });
  const list = async (token = admin) => (await server.call(listAccessRequests, { query: { limit: 200 }, token })).body;
  const explain = async (
    { uid }: Pick<TestPerson, 'uid'>,
    feature: Subject | undefined,
    location: string | undefined,
    token = admin,
  ) =>
    server.call(explainAccess, {
      query: { account: uid, ...(feature ? { feature } : {}), ...(location ? { location } : {}) },
      token,
    });

  it('sends one request per feature and location while it is unanswered, and shows it to the person', async () => {
    const { person, token } = await setup();
    const first = await send(token);
    expect(first).toMatchObject({ status: 201, body: { status: 'OPEN', feature: 'vrAccess', location: 'K-1' } });
    expect((await send(token, 'vrAccess', 'K-1', 'Another reason')).body).toEqual(first.body);
    const atSameTime = await Promise.all([send(token, 'scanAccess'), send(token, 'scanAccess')]);
    expect(atSameTime[0].body.uid).toBe(atSameTime[1].body.uid);
    await send(token, 'vrAccess', null);
    const ownRequests = (await server.call(listOwnAccessRequests, { token })).body;
    expect(ownRequests.map(({ feature, location }) => `${feature} ${location}`).toSorted()).toEqual([
      'scanAccess K-1',
      'vrAccess K-1',
      'vrAccess null',
    ]);
    const audit = await server.call(listAuditEntries, { query: { area: 'PEOPLE', text: person.uid }, token: admin });
    expect(audit.body.rows.filter(({ action }) => action === 'accessRequest.sent')).toHaveLength(3);
  });

  it('refuses a request without a reason, and too many unanswered requests of one person', async () => {
    const { token } = await setup();
    expect(await send(token, 'vrAccess', null, '  ')).toMatchObject({
      status: 400,
      body: { fields: [{ pointer: '/reason' }] },
    });
    for (let number = 0; number < 20; number += 1) await send(token, 'vrAccess', `place-${number}`);
    expect(await send(token, 'vrAccess', 'one more')).toMatchObject({
      status: 409,
      body: { refusal: { message: 'core.refused.accessRequestsMany' } },
    });
  });

  it('proposes roles that grant the access, the smallest first, and grants one with undo', async () => {
    const { person, token } = await setup();
    const { uid } = (await send(token)).body;
    const { body: roles } = await server.call(listGrantableRoles, { params: { request: uid }, token: admin });
    expect(
      roles
        .filter((role) => ['vr-k', 'vr-m', 'wide', 'off'].includes(role.uid))
        .map((role) => [role.uid, role.sufficient]),
    ).toEqual([
      ['vr-k', true],
      ['wide', true],
      ['vr-m', false],
    ]);
    const grant = (role: string, version = 1) =>
      server.call(grantAccessRequest, { params: { request: uid }, body: { role, version }, token: admin });
    expect(await grant('off')).toMatchObject({
      status: 409,
      body: { refusal: { message: 'core.refused.accessRequestRole' } },
    });
    const { body } = await grant('vr-k');
    expect((await server.call(getMe, { token })).body.access).toMatchObject({ flags: ['vrAccess'], locations: ['K'] });
    const [own] = (await server.call(listOwnAccessRequests, { token })).body;
    expect(own).toMatchObject({ status: 'GRANTED', role: 'VR at K' });
    expect(await grant('wide')).toMatchObject({ status: 409, body: { current: { status: 'GRANTED' } } });
    await server.call(undoChange, { params: { change: body.change! }, body: {}, token: admin });
    expect((await server.call(getMe, { token })).body.access).toMatchObject({ flags: [], locations: [] });
    expect((await list()).rows.find((row) => row.uid === uid)).toMatchObject({
      status: 'OPEN',
      person: { uid: person.uid },
      answeredBy: null,
    });
  });

  it("increments a person's version when a role is granted or its grant is undone, so that open forms get a conflict", async () => {
    const { person, token } = await setup();
    const { uid } = (await send(token)).body;
    const getVersion = async () =>
      (await server.call(getPerson, { params: { person: person.uid }, token: admin })).body.version;
    const before = await getVersion();
    const body = { role: 'vr-k', version: 1 };
    const grantReply = await server.call(grantAccessRequest, { params: { request: uid }, body, token: admin });
    expect(await getVersion()).toBe(before + 1);
    await server.call(undoChange, { params: { change: grantReply.body.change! }, body: {}, token: admin });
    expect(await getVersion()).toBe(before + 2);
  });

  it('keeps a granted role that previously came from a group of the identity provider', async () => {
    const { person, token } = await setup();
    const { uid } = (await send(token)).body;
    await server.database.query(
      `insert into core.user_role (account, role, from_group) values ('${person.uid}', 'vr-k', true)`,
    );
    await server.call(grantAccessRequest, {
      params: { request: uid },
      body: { role: 'vr-k', version: 1 },
      token: admin,
    });
    const { roles } = (await server.call(getPerson, { params: { person: person.uid }, token: admin })).body;
    expect(roles.find((role) => role.uid === 'vr-k')?.fromGroup).toBe(false);
  });

  it('requires userManagement to undo an answer, as to give one', async () => {
    const { token } = await setup();
    const { uid } = (await send(token)).body;
    const body = { role: 'vr-k', version: 1 };
    const { change } = (await server.call(grantAccessRequest, { params: { request: uid }, body, token: admin })).body;
    const undo = async (flags: readonly AccessFlag[]) =>
      (
        await server.call(undoChange, {
          params: { change: change! },
          body: {},
          token: await server.signIn({ flags: [...flags], locations: 'ALL' }),
        })
      ).status;
    expect(await undo(['configure', 'vrAccess'])).toBe(403);
    expect(await undo(['userManagement', 'vrAccess'])).toBe(200);
  });

  it('declines a request with a reason that the person can read, and then accepts a new request', async () => {
    const { token } = await setup();
    const { uid } = (await send(token)).body;
    const body = { reason: 'Ask again after the induction.', version: 1 };
    expect((await server.call(declineAccessRequest, { params: { request: uid }, body, token: admin })).status).toBe(
      200,
    );
    expect((await server.call(listOwnAccessRequests, { token })).body[0]).toMatchObject({
      status: 'DECLINED',
      answer: 'Ask again after the induction.',
    });
    expect((await send(token)).body.uid).not.toBe(uid);
  });

  it('hides requests at other locations from an admin, and refuses to grant more than the access of the admin', async () => {
    const { token } = await setup();
    const atM = (await send(token, 'vrAccess', 'M')).body.uid;
    const atK = (await send(token, 'vrAccess', 'K-1')).body.uid;
    const nearToken = await server.signIn({
      flags: ['userManagement', 'configure', 'vrAccess'],
      locations: ['K'],
      userType: 'TENANT_ADMIN',
    });
    const uids = (await list(nearToken)).rows.map(({ uid }) => uid);
    expect([uids.includes(atM), uids.includes(atK)]).toEqual([false, true]);
    const grant = (request: string, role: string, as = nearToken) =>
      server.call(grantAccessRequest, { params: { request }, body: { role, version: 1 }, token: as });
    expect((await grant(atM, 'vr-k')).status).toBe(404);
    expect(await grant(atK, 'wide')).toMatchObject({
      status: 403,
      body: { refusal: { message: 'core.refused.grantMore' } },
    });
    const { body: roles } = await server.call(listGrantableRoles, { params: { request: atK }, token: nearToken });
    expect(roles.map(({ uid }) => uid)).not.toContain('wide');
    const { body } = await grant(atK, 'wide', admin);
    expect(
      await server.call(undoChange, { params: { change: body.change! }, body: {}, token: nearToken }),
    ).toMatchObject({
      status: 403,
      body: { refusal: { message: 'core.refused.grantMore' } },
    });
  });

  it('[ADM-13:access-control] explains access by role and location as the server checks it', async () => {
    const roles = server.service(Roles);
    const person = await server.addPerson({ flags: ['scanAccess'], locations: ['K'] });
    const tables = server.database.of<{ user_role: { account: string; role: string } }>('core');
    await tables
      .insertInto('user_role')
      .values(['off', 'vr-m'].map((role) => ({ account: person.uid, role })))
      .execute();
    const { body } = await explain(person, 'vrAccess', 'K-1');
    expect(body).toMatchObject({ granted: true, account: true, feature: true, location: true });
    expect(
      body.roles.map(({ name, active, feature, location, through }) => [name, active, feature, location, through]),
    ).toEqual([
      ['Off', false, true, true, null],
      [`Role ${person.role}`, true, false, true, 'K'],
      ['VR at M', true, true, false, null],
    ]);
    await roles.setStatus('vr-m', 'INACTIVE');
    expect((await explain(person, 'vrAccess', 'K-1')).body).toMatchObject({
      granted: false,
      feature: false,
      location: true,
    });
    await roles.setStatus('vr-m', 'ACTIVE');
    expect((await explain(person, 'anyTour', 'M')).body).toMatchObject({ granted: true });
    expect((await explain(person, undefined, undefined)).body).toMatchObject({
      granted: true,
      feature: null,
      location: null,
    });
    await server.service(Accounts).deactivate(person.uid);
    expect((await explain(person, 'vrAccess', 'K-1')).body).toMatchObject({ granted: false, account: false });
    const nearToken = await server.signIn({ flags: ['userManagement'], locations: ['M'] });
    expect((await explain(person, 'vrAccess', 'K-1', nearToken)).status).toBe(403);
    const people = await server.call(findExplainedPeople, {
      query: { text: person.username.toUpperCase() },
      token: nearToken,
    });
    expect(people.body).toMatchObject([{ uid: person.uid, status: 'INACTIVE' }]);
  });
});
