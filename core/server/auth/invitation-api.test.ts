import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserType } from '#core';
import { activate, getMe, inviteUser, listUserTypes, register } from '#core/api';
import { createBrowserCalls, readLastCode, readMails } from '../../testing/auth-server.ts';
import { describeOnDatabases, startTestServer, type TestServer, login } from '../../testing/server.ts';
import { Roles } from '../access/roles.ts';
import { Accounts } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';

const body = { username: 'New.Person@Example.com', name: 'New Person', userType: 'TENANT_USER', roles: [] } as const;

describeOnDatabases('invitation', (kind) => {
  let server: TestServer;
  let managerToken: string;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    managerToken = await server.signIn({ flags: ['userManagement', 'vrAccess'] });
  });
  afterAll(() => server.close());

  it('[API-07] refuses requests without a token', async () => {
    expect((await server.call(inviteUser, { body: { ...body, roles: [] } })).status).toBe(401);
  });

  it('[API-07] requires userManagement', async () => {
    const token = await server.signIn({ flags: ['import', 'configure'] });
    const { status, refusal } = await server.call(inviteUser, { token, body: { ...body, roles: [] } });
    expect([status, refusal.code]).toEqual([403, 'E003']);
  });

  it('[API-07] [API-10] answers 201, creates an account without a password, mails an invitation and writes an audit entry', async () => {
    const role = await server.service(Roles).create({ name: 'Viewer', flags: ['vrAccess'], allLocations: false });
    const answer = await server.call(inviteUser, { token: managerToken, body: { ...body, roles: [role.uid] } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ uid: expect.any(String), username: 'new.person@example.com' });
    const mail = (await readMails(server)).at(-1);
    expect(mail).toMatchObject({
      to: 'new.person@example.com',
      content: { kind: 'invitation', name: 'New Person', days: 7 },
    });
    const { uid } = (await server.call(getMe, { token: managerToken })).body;
    const log = await server.database
      .of<AuthTables>('core')
      .selectFrom('audit_log')
      .selectAll()
      .where('subject', '=', answer.body.uid)
      .execute();
    expect(log).toMatchObject([
      {
        actor: uid,
        action: 'account.invited',
        details: { userType: 'TENANT_USER', roles: [role.uid] },
        request: answer.headers['x-request-id'],
      },
    ]);
  });

  it('creates no account if the audit log cannot be written', async () => {
    const { database } = server;
    await database.query(`alter table core.audit_log add constraint nothing_more check (at < '2000-01-01') not valid`);
    expect(
      (
        await server.call(inviteUser, {
          token: managerToken,
          body: { ...body, username: 'unnoted@example.com', roles: [] },
        })
      ).status,
    ).toBe(500);
    await database.query('alter table core.audit_log drop constraint nothing_more');
    expect(await server.service(Accounts).findByUsername('unnoted@example.com')).toBeUndefined();
  });

  it('invites an unregistered person again, and refuses a person with an account', async () => {
    expect((await server.call(inviteUser, { token: managerToken, body: { ...body, roles: [] } })).status).toBe(201);
    const existingPerson = await server.addPerson();
    const { status, refusal } = await server.call(inviteUser, {
      token: managerToken,
      body: { ...body, username: existingPerson.username.toUpperCase(), roles: [] },
    });
    expect([status, refusal.code]).toEqual([409, 'E007']);
  });

  it('[API-07] invites a registered person again whose account is not activated yet', async () => {
    const username = 'stuck@example.com';
    await server.call(inviteUser, { token: managerToken, body: { ...body, username, roles: [] } });
    await createBrowserCalls(server).call(register, { body: { username, password: 'a sentence long enough' } });
    await readMails(server);
    expect(
      (await server.call(inviteUser, { token: managerToken, body: { ...body, username, roles: [] } })).status,
    ).toBe(201);
    const browser = createBrowserCalls(server);
    await browser.call(register, { body: { username, password: 'a sentence chosen anew' } });
    expect(
      (await browser.call(activate, { body: { username, otp: await readLastCode(server, username) } })).status,
    ).toBe(200);
    expect((await server.call(login, { body: { username, password: 'a sentence chosen anew' } })).status).toBe(200);
  });

  it('creates one account for two concurrent invitations of one person', async () => {
    const replies = await Promise.all(
      [1, 2].map(() =>
        server.call(inviteUser, { token: managerToken, body: { ...body, username: 'twice@example.com', roles: [] } }),
      ),
    );
    for (const { status } of replies) expect([201, 409]).toContain(status);
    expect(replies.some(({ status }) => status === 201)).toBe(true);
    expect(
      await server.database
        .of<AuthTables>('core')
        .selectFrom('user_account')
        .select('uid')
        .where('username', '=', 'twice@example.com')
        .execute(),
    ).toHaveLength(1);
  });

  it.each(['a,eve@example.com', 'Ann<ann@example.com>', 'ann@example.com;eve', '"x"@example.com'])(
    'refuses %s, which mail programs misread',
    async (username) => {
      expect(
        (await server.call(inviteUser, { token: managerToken, body: { ...body, username, roles: [] } })).status,
      ).toBe(400);
    },
  );

  it('refuses an unknown role', async () => {
    const { status, refusal } = await server.call(inviteUser, {
      token: managerToken,
      body: { ...body, username: 'x1@example.com', roles: ['nothing'] },
    });
    expect([status, refusal.message]).toEqual([400, "The role 'nothing' does not exist."]);
  });

  describe('[ACC-04] granting access', () => {
    it('refuses the admin type to a caller who is no admin', async () => {
      expect(
        (
          await server.call(inviteUser, {
            token: managerToken,
            body: { ...body, username: 'x2@example.com', userType: 'TENANT_ADMIN', roles: [] },
          })
        ).status,
      ).toBe(403);
    });

    it('refuses a role with a flag or a location that the caller lacks', async () => {
      const roles = server.service(Roles);
      const powerfulRole = await roles.create({ name: 'Powerful', flags: ['configure'], allLocations: false });
      const everywhereRole = await roles.create({ name: 'Far', flags: ['userManagement'], allLocations: true });
      const limitedToken = await server.signIn({ flags: ['userManagement'], locations: [] });
      expect(
        (
          await server.call(inviteUser, {
            token: managerToken,
            body: { ...body, username: 'x3@example.com', roles: [powerfulRole.uid] },
          })
        ).status,
      ).toBe(403);
      expect(
        (
          await server.call(inviteUser, {
            token: limitedToken,
            body: { ...body, username: 'x4@example.com', roles: [everywhereRole.uid] },
          })
        ).status,
      ).toBe(403);
      expect(
        (
          await server.call(inviteUser, {
            token: managerToken,
            body: { ...body, username: 'x5@example.com', roles: [everywhereRole.uid] },
          })
        ).status,
      ).toBe(201);
    });

    it('refuses to reduce the access of an invited person who has more access than the caller', async () => {
      const adminToken = await server.signIn({ flags: ['userManagement', 'configure'], userType: 'TENANT_ADMIN' });
      const limitedAdminToken = await server.signIn({ flags: ['userManagement'], userType: 'TENANT_ADMIN' });
      const powerfulRole = await server
        .service(Roles)
        .create({ name: 'Mighty', flags: ['configure'], allLocations: false });
      const invite = (token: string, username: string, userType: UserType, roles: string[]) =>
        server.call(inviteUser, { token, body: { ...body, username, userType, roles } });
      const invitations = [
        { username: 'admin2@example.com', userType: 'TENANT_ADMIN', roles: [] },
        { username: 'mighty@example.com', userType: 'TENANT_USER', roles: [powerfulRole.uid] },
      ] as const;
      for (const { username, userType, roles } of invitations) {
        const { uid } = (await invite(adminToken, username, userType, [...roles])).body;
        expect((await invite(managerToken, username, 'TENANT_USER', [])).status).toBe(403);
        expect(await server.service(Accounts).find(uid)).toMatchObject({
          userType,
          roles,
        });
        expect((await invite(adminToken, username, 'TENANT_USER', [])).status).toBe(201);
      }
      expect((await invite(limitedAdminToken, 'mighty2@example.com', 'TENANT_USER', [powerfulRole.uid])).status).toBe(
        403,
      );
    });

    it('lets an admin invite an admin', async () => {
      const adminToken = await server.signIn({ flags: ['userManagement'], userType: 'TENANT_ADMIN' });
      expect(
        (
          await server.call(inviteUser, {
            token: adminToken,
            body: { ...body, username: 'x6@example.com', userType: 'TENANT_ADMIN', roles: [] },
          })
        ).status,
      ).toBe(201);
    });
  });

  describe('user types', () => {
    it('[API-08] refuses requests without a token', async () => {
      expect((await server.call(listUserTypes, {})).status).toBe(401);
    });

    it('[API-08] [ACC-05] lists TENANT_USER and TENANT_ADMIN', async () => {
      expect((await server.call(listUserTypes, { token: managerToken })).body).toEqual(['TENANT_USER', 'TENANT_ADMIN']);
    });
  });
});
