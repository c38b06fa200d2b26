import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  activate,
  getMe,
  inviteUser,
  login,
  register,
  renewToken,
  requestReset,
  resendCode,
  resetPassword,
} from '#core/api';
import { createBrowserCalls, readLastCode, readMails } from '../../testing/auth-server.ts';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { createMovableClock } from '../../testing/movable-clock.ts';
import { describeOnDatabases, startTestServer, type TestCalls, type TestServer } from '../../testing/server.ts';
import type { AuthTables } from './auth-tables.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const password = 'correct horse battery';

describeOnDatabases('registration and reset', (kind) => {
  const clock = createMovableClock();
  let server: TestServer;
  let admin: string;
  let count = 0;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock, config: { publicAddress: 'https://tours.example' } });
  });
  afterAll(() => server.close());
  /** The person's browser. */
  let tab: TestCalls;
  beforeEach(() => {
    tab = createBrowserCalls(server);
  });

  const invite = async (): Promise<string> => {
    admin = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
    const username = `guest${(count += 1)}@example.com`;
    expect(
      (
        await server.call(inviteUser, {
          token: admin,
          body: { username, name: 'Guest', userType: 'TENANT_USER', roles: [] },
        })
      ).status,
    ).toBe(201);
    // Mails are sent concurrently: this one must be the first.
    await readMails(server);
    return username;
  };
  const mailsTo = async (username: string) => (await readMails(server)).filter(({ to }) => to === username);
  const tryLogin = (username: string, chosen = password) =>
    server.call(login, { body: { username, password: chosen } });
  const wrong = (code: string): string => (code === '000000' ? '111111' : '000000');

  describe('registration', () => {
    it('[API-04] [API-06] activates an invited person by a password and the mailed code, and lets them sign in', async () => {
      const username = await invite();
      expect((await tab.call(register, { body: { username, password } })).status).toBe(200);
      expect((await tryLogin(username)).refusal.code).toBe('E001');
      const otp = await readLastCode(server, username);
      expect((await tab.call(activate, { body: { username, otp } })).status).toBe(200);
      expect((await tryLogin(username)).status).toBe(200);
      expect((await tab.call(activate, { body: { username, otp } })).refusal.code).toBe('E011');
    });

    it('[SEC-02] refuses a password that is short, common or the address, names the field and mails nobody', async () => {
      const username = await invite();
      const fieldsFor = async (chosen: string) => {
        const { status, refusal } = await tab.call(register, { body: { username, password: chosen } });
        return [status, refusal.fields?.[0]?.pointer, refusal.fields?.[0]?.message];
      };
      expect(await fieldsFor('eleven chrs')).toEqual([400, '/password', 'core.validation.minLength']);
      expect(await fieldsFor('iloveunicorns')).toEqual([400, '/password', 'core.validation.passwordCommon']);
      expect(await fieldsFor(`${username}2026`)).toEqual([400, '/password', 'core.validation.passwordPersonal']);
      expect((await mailsTo(username)).filter(({ content }) => 'code' in content)).toEqual([]);
    });

    it("[SEC-02] reveals only after the right code that the password is the person's name, and asks for another one", async () => {
      const token = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
      const username = `named${(count += 1)}@example.com`;
      const body = { username, name: 'Wilhelmina Vanderbilt', userType: 'TENANT_USER', roles: [] } as const;
      await server.call(inviteUser, { token, body: { ...body, roles: [] } });
      await readMails(server);
      const chosen = 'Vanderbilt Wilhelmina 1';
      for (const each of [username, 'stranger@example.com'])
        expect((await tab.call(register, { body: { username: each, password: chosen } })).status).toBe(200);
      await tab.call(register, { body: { username, password: chosen } });
      const refused = await tab.call(activate, { body: { username, otp: await readLastCode(server, username) } });
      expect([refused.status, refused.refusal.fields?.[0]?.message]).toEqual([400, 'core.validation.passwordPersonal']);
      await tab.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      expect((await tab.call(activate, { body: { username, otp } })).status).toBe(200);
    });

    it('[API-04] answers the same for people who are not invited, and mails nobody', async () => {
      const known = await server.addPerson();
      const before = (await readMails(server)).length;
      for (const username of ['stranger@example.com', known.username]) {
        const { status, body } = await tab.call(register, { body: { username, password } });
        expect([status, body]).toEqual([200, {}]);
      }
      expect(await readMails(server)).toHaveLength(before);
      expect((await tryLogin(known.username)).status).toBe(401);
    });

    it('refuses a registration after the invitation expired', async () => {
      const username = await invite();
      clock.advance(7 * day);
      await tab.call(register, { body: { username, password } });
      expect((await mailsTo(username)).map(({ content }) => content.kind)).toEqual(['invitation']);
    });

    it("[ACC-04] gives the account the password of the person's browser: activation never applies a password that somebody else registered", async () => {
      const username = await invite();
      const stranger = createBrowserCalls(server, '192.0.2.66');
      await tab.call(register, { body: { username, password } });
      const own = await readLastCode(server, username);
      await stranger.call(register, { body: { username, password: 'chosen by somebody else' } });
      const foreign = await readLastCode(server, username);
      if (foreign !== own)
        expect((await tab.call(activate, { body: { username, otp: foreign } })).refusal.code).toBe('E011');
      expect((await createBrowserCalls(server).call(activate, { body: { username, otp: foreign } })).refusal.code).toBe(
        'E011',
      );
      await tab.call(resendCode, { query: { username } });
      expect((await tab.call(activate, { body: { username, otp: await readLastCode(server, username) } })).status).toBe(
        200,
      );
      expect((await tryLogin(username)).status).toBe(200);
      expect((await tryLogin(username, 'chosen by somebody else')).status).toBe(401);
    });

    it('refuses a browser that did not register, even with a resent code', async () => {
      const username = await invite();
      await createBrowserCalls(server, '192.0.2.66').call(register, {
        body: { username, password: 'chosen by somebody else' },
      });
      const before = await mailsTo(username);
      await tab.call(resendCode, { query: { username } });
      expect(await mailsTo(username)).toHaveLength(before.length);
      expect(
        (await tab.call(activate, { body: { username, otp: await readLastCode(server, username) } })).refusal.code,
      ).toBe('E011');
    });

    it('works for the person while somebody else registers them repeatedly and guesses', async () => {
      const username = await invite();
      const stranger = createBrowserCalls(server, '192.0.2.66');
      await tab.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      for (let attempt = 0; attempt < 8; attempt += 1) {
        await stranger.call(register, { body: { username, password: 'chosen by somebody else' } });
        await readMails(server);
        for (let guess = 0; guess < 6; guess += 1)
          await stranger.call(activate, { body: { username, otp: wrong(otp) } });
      }
      expect((await mailsTo(username)).filter(({ content }) => content.kind === 'activation')).toHaveLength(6);
      const late = createBrowserCalls(server);
      await late.call(register, { body: { username, password: 'chosen anew by the person' } });
      expect(
        (await late.call(activate, { body: { username, otp: await readLastCode(server, username) } })).status,
      ).toBe(200);
    });

    it('refuses a password that is too short', async () => {
      const { status, refusal } = await tab.call(register, { body: { username: 'x@example.com', password: 'short' } });
      expect([status, refusal.code]).toEqual([400, 'E002']);
    });
  });

  describe('one-time codes', () => {
    it('[API-06] closes codes after five wrong guesses and never reveals whether the account exists', async () => {
      const username = await invite();
      await tab.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      for (let guess = 0; guess < 5; guess += 1) {
        const known = await tab.call(activate, { body: { username, otp: wrong(otp) } });
        const unknown = await tab.call(activate, { body: { username: `nobody${guess}@example.com`, otp } });
        expect([known.status, known.refusal.code, known.refusal.message]).toEqual([
          unknown.status,
          unknown.refusal.code,
          unknown.refusal.message,
        ]);
        expect(known.refusal.code).toBe('E011');
      }
      expect((await tab.call(activate, { body: { username, otp } })).refusal.code).toBe('E011');
      await tab.call(resendCode, { query: { username } });
      expect((await tab.call(activate, { body: { username, otp: await readLastCode(server, username) } })).status).toBe(
        200,
      );
      expect((await tryLogin(username)).status).toBe(200);
    });

    it('allows five guesses also if all come at once', async () => {
      const username = await invite();
      await tab.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      await Promise.all(Array.from({ length: 8 }, () => tab.call(activate, { body: { username, otp: wrong(otp) } })));
      expect((await tab.call(activate, { body: { username, otp } })).refusal.code).toBe('E011');
    });

    it('accepts a code once, also with its cookie and for two concurrent requests', async () => {
      const person = await server.addPerson();
      const jar = new CookieJar();
      jar.store((await server.call(requestReset, { query: { username: person.username } })).headers);
      const otp = await readLastCode(server, person.username);
      const use = async (chosen: string) => {
        const body = { username: person.username, password: chosen, otp };
        return (await server.call(resetPassword, { body, headers: jar.headersFor(resetPassword.path) })).status;
      };
      const chosen = ['the first of all horses', 'the second of all horses', 'the third of all horses'];
      const statuses = await Promise.all(chosen.map(use));
      expect([...statuses].sort()).toEqual([200, 400, 400]);
      expect(await use('the fourth of all horses')).toBe(400);
      const logins = await Promise.all(chosen.map((each) => tryLogin(person.username, each)));
      expect(logins.map(({ status }) => status === 200)).toEqual(statuses.map((status) => status === 200));
    });

    it('refuses expired codes', async () => {
      const username = await invite();
      await tab.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      clock.advance(15 * minute);
      expect((await tab.call(activate, { body: { username, otp } })).refusal.code).toBe('E011');
    });

    it('[API-05] sends at most five codes an hour', async () => {
      const person = await server.addPerson();
      for (let asked = 0; asked < 8; asked += 1) {
        await server.call(asked % 2 === 0 ? requestReset : resendCode, { query: { username: person.username } });
        await readMails(server);
      }
      expect(await mailsTo(person.username)).toHaveLength(5);
      clock.advance(60 * minute + 1);
      await tab.call(requestReset, { query: { username: person.username } });
      expect(await mailsTo(person.username)).toHaveLength(6);
    });

    it('[API-05] counts a whole IPv6 network as one, reserves codes for new networks, and limits a day', async () => {
      const person = await server.addPerson();
      const ask = async (address: string, times: number): Promise<number> => {
        // Sequential: of two concurrent mails the older may arrive late and is then not sent.
        for (let asked = 0; asked < times; asked += 1) {
          await createBrowserCalls(server, address).call(requestReset, { query: { username: person.username } });
          await readMails(server);
        }
        return (await mailsTo(person.username)).length;
      };
      for (let host = 1; host <= 7; host += 1) await ask(`2001:db8::${host}`, 1);
      expect(await ask('2001:db8::8', 1)).toBe(5);
      expect(await ask('192.0.2.1', 5)).toBe(8);
      expect(await ask('192.0.2.2', 2)).toBe(9);
      expect(await ask('192.0.2.3', 2)).toBe(10);
      clock.advance(60 * minute + 1);
      expect(await ask('192.0.2.1', 5)).toBe(15);
      expect(await ask('192.0.2.2', 5)).toBe(18);
      clock.advance(60 * minute + 1);
      expect(await ask('192.0.2.3', 5)).toBe(20);
      clock.advance(24 * 60 * minute);
      expect(await ask('192.0.2.3', 1)).toBe(21);
    });

    it('stores codes and the passwords that they activate only as hashes', async () => {
      const username = await invite();
      await tab.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      const rows = await server.server.database
        .of<AuthTables>('core')
        .selectFrom('one_time_code')
        .selectAll()
        .execute();
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(Object.values(row)).not.toContain(otp);
      expect(
        rows.every(({ password_hash: hash }) => hash === null || hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$')),
      ).toBe(true);
    });

    it.each(['12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('refuses %s: a code has six digits', async (otp) => {
      expect((await tab.call(activate, { body: { username: 'x@example.com', otp } })).refusal.code).toBe('E002');
    });
  });

  describe('password reset', () => {
    it('[API-05] sets a new password by the mailed code, ends all sessions and notifies by mail', async () => {
      const person = await server.addPerson();
      const session = (await tryLogin(person.username, person.password)).body;
      expect((await tab.call(requestReset, { query: { username: person.username } })).body).toEqual({});
      const otp = await readLastCode(server, person.username);
      expect(
        (await tab.call(resetPassword, { body: { username: person.username, password, otp: wrong(otp) } })).refusal
          .code,
      ).toBe('E011');
      expect((await tab.call(resetPassword, { body: { username: person.username, password, otp } })).status).toBe(200);

      expect((await server.call(getMe, { token: session.accessToken })).status).toBe(401);
      expect(
        (
          await server.call(renewToken, {
            query: {},
            body: { username: person.username, refreshToken: session.refreshToken },
          })
        ).status,
      ).toBe(401);
      expect((await tryLogin(person.username, person.password)).status).toBe(401);
      expect((await tryLogin(person.username)).status).toBe(200);
      expect((await mailsTo(person.username)).at(-1)?.content.kind).toBe('passwordChanged');
    });

    it("[SEC-02] refuses the person's name with the right code, which stays valid for another password", async () => {
      const { username } = await server.addPerson({ username: 'reset-name@example.com' });
      await tab.call(requestReset, { query: { username } });
      const otp = await readLastCode(server, username);
      const reset = (chosen: string) => tab.call(resetPassword, { body: { username, password: chosen, otp } });
      const refused = await reset('Person Reset Name 7');
      expect([refused.status, refused.refusal.fields?.[0]?.message]).toEqual([400, 'core.validation.passwordPersonal']);
      expect((await reset(password)).status).toBe(200);
      expect((await tryLogin(username)).status).toBe(200);
    });

    it('[API-05] answers the same for a missing and an inactive account, and mails nobody', async () => {
      const before = (await readMails(server)).length;
      for (const call of [requestReset, resendCode]) {
        const { status, body } = await server.call(call, { query: { username: 'stranger@example.com' } });
        expect([status, body]).toEqual([200, {}]);
      }
      expect(await readMails(server)).toHaveLength(before);
    });

    it('refuses an activation code', async () => {
      const username = await invite();
      await tab.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      expect((await tab.call(resetPassword, { body: { username, password, otp } })).refusal.code).toBe('E011');
    });

    it('stays possible while somebody else requests codes and guesses', async () => {
      const { username } = await server.addPerson();
      const stranger = createBrowserCalls(server, '192.0.2.66');
      await tab.call(requestReset, { query: { username } });
      const otp = await readLastCode(server, username);
      for (let asked = 0; asked < 8; asked += 1) await stranger.call(requestReset, { query: { username } });
      for (let guess = 0; guess < 6; guess += 1)
        await stranger.call(resetPassword, { body: { username, password, otp: wrong(otp) } });
      expect((await tab.call(resetPassword, { body: { username, password, otp } })).status).toBe(200);
    });

    it('invalidates the previous code', async () => {
      const person = await server.addPerson();
      await tab.call(requestReset, { query: { username: person.username } });
      const first = await readLastCode(server, person.username);
      await tab.call(resendCode, { query: { username: person.username } });
      const second = await readLastCode(server, person.username);
      if (first !== second)
        expect(
          (await tab.call(resetPassword, { body: { username: person.username, password, otp: first } })).refusal.code,
        ).toBe('E011');
      expect(
        (await tab.call(resetPassword, { body: { username: person.username, password, otp: second } })).status,
      ).toBe(200);
    });
  });

  it("[API-14] links to the configured address, regardless of the request's host", async () => {
    const person = await server.addPerson();
    await tab.call(requestReset, {
      query: { username: person.username },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    const mail = (await mailsTo(person.username)).at(-1);
    expect(mail?.text).toContain(
      `https://tours.example/dashboard/login/reset?username=${encodeURIComponent(person.username)}`,
    );
    expect(mail?.text).not.toContain('evil');
  });
});

describe('a server without a public address', () => {
  it('[API-14] links to the port that the server listens on', async () => {
    const server = await startTestServer();
    const address = await server.url();
    const person = await server.addPerson();
    await server.call(requestReset, { query: { username: person.username } });
    expect((await readMails(server)).at(-1)?.text).toContain(`${address}/dashboard/login/reset?username=`);
    await server.close();
  });
});
