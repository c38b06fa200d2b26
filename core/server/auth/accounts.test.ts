import { afterAll, beforeAll, expect, it } from 'vitest';
import { activate, getMe, register, requestReset } from '#core/api';
import { createBrowserCalls, readLastCode, readMails } from '../../testing/auth-server.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { describeOnDatabases, startTestServer, type TestServer } from '../../testing/server.ts';
import type { AuditTables } from '../audit/audit-log.ts';
import { Accounts } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';
import { Sessions } from './sessions.ts';
import { AccessChanges } from '../access/access-changes.ts';
import { KeyRing } from './key-ring.ts';
import { OneTimeCodes } from './one-time-codes.ts';

const dayMs = 24 * 60 * 60_000;

const client = { device: 'Test', address: '192.0.2.1' };

describeOnDatabases('accounts', (kind) => {
  const clock = createTestClock();
  let server: TestServer;
  let accounts: Accounts;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock });
    accounts = server.service(Accounts);
  });
  afterAll(() => server.close());

  it('updates only the properties that are passed', async () => {
    const { uid, role } = await server.addPerson();
    const before = await accounts.find(uid);
    const changedAccount = await accounts.update(uid, {
      name: 'New name',
      section: 'Operations',
      department: 'Process',
      division: 'North',
      businessUnit: 'Offshore',
      userType: 'TENANT_ADMIN',
    });
    expect(changedAccount).toEqual({
      ...before,
      name: 'New name',
      section: 'Operations',
      department: 'Process',
      division: 'North',
      businessUnit: 'Offshore',
      userType: 'TENANT_ADMIN',
      roles: [role],
    });
    expect(await accounts.update(uid, { section: null })).toEqual({ ...changedAccount, section: null });
    expect(await accounts.update(uid, { roles: [] })).toMatchObject({ roles: [] });
  });

  it('[ACC-05] applies a changed user type at the next request', async () => {
    const person = await server.addPerson();
    const token = await server.signIn(person);
    expect((await server.call(getMe, { token })).body.isAdmin).toBe(false);
    await accounts.update(person.uid, { userType: 'TENANT_ADMIN' });
    expect((await server.call(getMe, { token })).body).toMatchObject({ isAdmin: true, userType: 'TENANT_ADMIN' });
  });

  it('withdraws the access of a removed role at the next request', async () => {
    const person = await server.addPerson({ flags: ['vrAccess'] });
    const token = await server.signIn(person);
    expect((await server.call(getMe, { token })).body.access.flags).toEqual(['vrAccess']);
    await accounts.update(person.uid, { roles: [] });
    expect((await server.call(getMe, { token })).body.access.flags).toEqual([]);
  });

  it('refuses an unknown role and changes nothing', async () => {
    const { uid } = await server.addPerson();
    const before = await accounts.find(uid);
    await expect(accounts.update(uid, { name: 'Other', roles: ['none'] })).rejects.toMatchObject({ status: 400 });
    expect(await accounts.find(uid)).toEqual(before);
  });

  it('restores the status that an account had before its deactivation', async () => {
    const { uid, username } = await accounts.invite({
      username: 'back@example.com',
      name: 'Back',
      userType: 'TENANT_USER',
    });
    expect((await accounts.deactivate(uid)).status).toBe('INACTIVE');
    expect((await accounts.reactivate(uid)).status).toBe('INVITED');
    const browser = createBrowserCalls(server);
    await browser.call(register, { body: { username, password: 'a sentence long enough' } });
    await readMails(server);
    expect((await accounts.find(uid))?.status).toBe('REGISTERED');
    await browser.call(activate, { body: { username, otp: await readLastCode(server, username) } });
    expect((await accounts.deactivate(uid)).status).toBe('INACTIVE');
    expect((await accounts.reactivate(uid)).status).toBe('ACTIVE');
    expect((await accounts.reactivate(uid)).status).toBe('ACTIVE');
  });

  it('audits each deactivation and reactivation once, with its actor', async () => {
    const { uid } = await server.addPerson();
    const admin = await server.addPerson({ userType: 'TENANT_ADMIN' });
    await accounts.reactivate(uid);
    await accounts.deactivate(uid, { actor: admin.uid, request: 'request-1' });
    await accounts.deactivate(uid);
    await accounts.reactivate(uid);
    const rows = await server.database
      .of<AuditTables>('core')
      .selectFrom('audit_log')
      .select(['actor', 'action', 'details', 'request'])
      .where('subject', '=', uid)
      .where('action', 'in', ['account.deactivated', 'account.reactivated'])
      .orderBy('at')
      .orderBy('action')
      .execute();
    expect(rows).toEqual([
      {
        actor: admin.uid,
        action: 'account.deactivated',
        details: { from: 'ACTIVE', to: 'INACTIVE' },
        request: 'request-1',
      },
      { actor: null, action: 'account.reactivated', details: { from: 'INACTIVE', to: 'ACTIVE' }, request: null },
    ]);
  });

  it('reports an unknown account', async () => {
    expect(await accounts.find('none')).toBeUndefined();
    for (const attempt of [
      () => accounts.update('none', {}),
      () => accounts.deactivate('none'),
      () => accounts.reactivate('none'),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 });
  });

  it('removes expired and revoked sessions with their tokens', async () => {
    const { database } = server;
    const tables = database.of<AuthTables>('core');
    const sessions = new Sessions({
      database,
      clock,
      changes: server.service(AccessChanges),
      keys: new KeyRing(database, clock, undefined),
      limits: { idleLifetimeMs: 30 * dayMs, absoluteLifetimeMs: 365 * dayMs, refreshGraceMs: 10_000 },
    });
    const person = await server.addPerson();
    const usedSession = await sessions.open(person.uid, null, client);
    const idleSession = await sessions.open(person.uid, null, client);
    const revokedSession = await sessions.open(person.uid, null, client);
    await sessions.revoke(revokedSession.session, async () => undefined);
    clock.advance(25 * dayMs);
    const renewedSession = await sessions.renew(usedSession.refreshToken, person.username, client);
    clock.advance(13 * dayMs);
    await sessions.removeOld();
    const remainingIds = (
      await tables.selectFrom('session').select('id').where('account', '=', person.uid).execute()
    ).map(({ id }) => id);
    expect(remainingIds).toEqual([usedSession.session]);
    expect(remainingIds).not.toContain(idleSession.session);
    expect(
      await tables.selectFrom('refresh_token').selectAll().where('session', '=', usedSession.session).execute(),
    ).toHaveLength(1);
    expect((await sessions.renew(renewedSession.refreshToken, person.username, client)).session).toBe(
      usedSession.session,
    );
  });

  it('removes codes whose request can get no further code', async () => {
    const { database } = server;
    const tables = database.of<AuthTables>('core');
    const codes = new OneTimeCodes(database, clock, new KeyRing(database, clock, undefined), 60_000);
    const { username } = await server.addPerson();
    const browser = createBrowserCalls(server);
    const countCodes = async () => (await tables.selectFrom('one_time_code').select('id').execute()).length;
    await tables.deleteFrom('one_time_code').execute();
    await browser.call(requestReset, { query: { username } });
    await readMails(server);
    clock.advance(dayMs - 60_000);
    await codes.removeOld();
    expect(await countCodes()).toBe(1);
    clock.advance(120_000);
    await codes.removeOld();
    expect(await countCodes()).toBe(0);
  });
});
