import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changePassword, getMe, renewToken, requestReset, savePreferences, saveProfile } from '#core/api';
import { readLastCode, readMails } from '../../testing/auth-server.ts';
import { describeOnDatabases, startTestServer, type TestServer, login } from '../../testing/server.ts';
import { Roles } from '../access/roles.ts';
import type { AuthTables } from './auth-tables.ts';
import { hashPassword } from './password-hash.ts';

describeOnDatabases("a person's own account", (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
  });
  afterAll(() => server.close());

  it('refuses all requests without a token', async () => {
    const answers = [
      await server.call(getMe, {}),
      await server.call(saveProfile, { body: { name: 'x' } }),
      await server.call(savePreferences, { body: {} }),
      await server.call(changePassword, { body: { current: 'x', next: 'long enough' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it('[ACC-01] [ACC-05] returns the person and their access', async () => {
    const person = await server.addPerson({
      userType: 'TENANT_ADMIN',
      flags: ['import', 'userManagement'],
      username: 'boss@example.com',
    });
    const { body } = await server.call(getMe, { token: await server.signIn(person) });
    expect(body).toEqual({
      uid: person.uid,
      username: 'boss@example.com',
      name: expect.any(String),
      userType: 'TENANT_ADMIN',
      isAdmin: true,
      access: { flags: ['userManagement', 'import'], locations: 'ALL', deactivatedRoles: [] },
      preferences: {},
    });
  });

  it('[ACC-04] limits an admin to the access that the roles grant', async () => {
    const { body } = await server.call(getMe, {
      token: await server.signIn({ userType: 'TENANT_ADMIN', locations: [] }),
    });
    expect(body.access).toEqual({ flags: [], locations: [], deactivatedRoles: [] });
  });

  it('[ACC-04] applies a changed or deactivated role at the next request', async () => {
    const roles = server.service(Roles);
    const person = await server.addPerson({ flags: ['vrAccess'] });
    const token = await server.signIn(person);
    expect((await server.call(getMe, { token })).body.access.flags).toEqual(['vrAccess']);
    await roles.update(person.role, { flags: ['scanAccess', 'vrAccess'] });
    expect((await server.call(getMe, { token })).body.access.flags).toEqual(['vrAccess', 'scanAccess']);
    const { name } = await roles.setStatus(person.role, 'INACTIVE');
    expect((await server.call(getMe, { token })).body.access).toEqual({
      flags: [],
      locations: [],
      deactivatedRoles: [name],
    });
    await roles.setStatus(person.role, 'ACTIVE');
    expect((await server.call(getMe, { token })).body.access.locations).toBe('ALL');
  });

  it('saves the name, and replaces the preferences', async () => {
    const token = await server.signIn();
    expect((await server.call(saveProfile, { token, body: { name: 'Zoë 张' } })).body.name).toBe('Zoë 张');
    const preferences = { language: 'fr', theme: 'dark', defaultView: 'map', lengthUnit: 'ft' } as const;
    expect((await server.call(savePreferences, { token, body: preferences })).body).toEqual(preferences);
    expect((await server.call(savePreferences, { token, body: { theme: 'light' } })).body).toEqual({ theme: 'light' });
    expect((await server.call(getMe, { token })).body).toMatchObject({
      name: 'Zoë 张',
      preferences: { theme: 'light' },
    });
  });

  it('refuses unknown preferences', async () => {
    const token = await server.signIn();
    expect((await server.call(savePreferences, { token, body: { language: 'de' } as never })).status).toBe(400);
    expect((await server.call(savePreferences, { token, body: { isAdmin: true } as never })).status).toBe(400);
  });

  it('sends mails in the language of the preferences', async () => {
    const person = await server.addPerson();
    await server.call(savePreferences, { token: await server.signIn(person), body: { language: 'fr' } });
    await server.call(requestReset, { query: { username: person.username } });
    await readLastCode(server, person.username);
    expect((await readMails(server)).at(-1)?.subject).toContain('réinitialiser');
  });

  describe('change of the password', () => {
    it('refuses a wrong current password and names the field', async () => {
      const { status, refusal } = await server.call(changePassword, {
        token: await server.signIn(),
        body: { current: 'wrong', next: 'long enough' },
      });
      expect([status, refusal.code, refusal.fields?.[0]?.pointer]).toEqual([400, 'E002', '/current']);
    });

    it('ends the other sessions, keeps this one, and notifies by mail', async () => {
      const person = await server.addPerson();
      const { username, password } = person;
      const otherLogin = (await server.call(login, { body: { username, password } })).body;
      const ownLogin = (await server.call(login, { body: { username, password } })).body;
      expect(
        (
          await server.call(changePassword, {
            token: ownLogin.accessToken,
            body: { current: password, next: 'a new password' },
          })
        ).status,
      ).toBe(200);
      expect((await server.call(getMe, { token: ownLogin.accessToken })).status).toBe(200);
      expect(
        (await server.call(renewToken, { query: {}, body: { username, refreshToken: ownLogin.refreshToken } })).status,
      ).toBe(200);
      expect((await server.call(getMe, { token: otherLogin.accessToken })).status).toBe(401);
      expect(
        (await server.call(renewToken, { query: {}, body: { username, refreshToken: otherLogin.refreshToken } }))
          .status,
      ).toBe(401);
      expect((await server.call(login, { body: { username, password } })).status).toBe(401);
      expect((await server.call(login, { body: { username, password: 'a new password' } })).status).toBe(200);
      expect((await readMails(server)).at(-1)).toMatchObject({ to: username, content: { kind: 'passwordChanged' } });
    });

    it('[SEC-02] does not count a refused new password as a guess of the current one', async () => {
      const person = await server.addPerson();
      const token = await server.signIn(person);
      const change = async (next: string) =>
        (await server.call(changePassword, { token, body: { current: person.password, next: next } })).status;
      for (let attempt = 0; attempt < 12; attempt += 1) expect(await change('password1234')).toBe(400);
      expect(await change('a new password')).toBe(200);
    });

    it('[SEC-02] replaces a short old password by one that the policy accepts', async () => {
      const person = await server.addPerson();
      const { username } = person;
      await server.database
        .of<AuthTables>('core')
        .updateTable('user_account')
        .set({ password_hash: await hashPassword('short') })
        .where('uid', '=', person.uid)
        .execute();
      const { status, body } = await server.call(login, { body: { username, password: 'short' } });
      expect(status).toBe(200);
      const change = async (next: string) => {
        const answer = await server.call(changePassword, {
          token: body.accessToken,
          body: { current: 'short', next: next },
        });
        return [answer.status, ...(answer.refusal.fields ?? []).flatMap(({ pointer, message }) => [pointer, message])];
      };
      expect(await change('eleven chrs')).toEqual([400, '/next', 'core.validation.minLength']);
      expect(await change('iloveunicorns')).toEqual([400, '/next', 'core.validation.passwordCommon']);
      expect(await change(`Person ${username}`)).toEqual([400, '/next', 'core.validation.passwordPersonal']);
      expect(await change('a sentence that is fit')).toEqual([200]);
    });

    it('ends sessions that were opened with the old password during the change', async () => {
      const person = await server.addPerson();
      const { username, password } = person;
      const ownLogin = (await server.call(login, { body: { username, password } })).body;
      const [, ...sessions] = await Promise.all([
        server.call(changePassword, {
          token: ownLogin.accessToken,
          body: { current: password, next: 'a new password' },
        }),
        ...Array.from({ length: 6 }, () => server.call(login, { body: { username, password } })),
      ]);
      for (const { status, body } of sessions)
        if (status === 200) expect((await server.call(getMe, { token: body.accessToken })).status).toBe(401);
    });
  });
});
