import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { activate, getMe, inviteUser, register, renewToken, requestReset, resendCode, resetPassword } from '#core/api';
import { createBrowserCalls, readLastCode, readMails } from '../../testing/auth-server.ts';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { describeOnDatabases, startTestServer, type TestCalls, type TestServer, login } from '../../testing/server.ts';
import type { AuthTables } from './auth-tables.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const password = 'correct horse battery';

describeOnDatabases('registration and reset', (kind) => {
  const clock = createTestClock();
  let server: TestServer;
  let adminToken: string;
  let count = 0;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock, config: { publicUrl: 'https://tours.example' } });
  });
  afterAll(() => server.close());
  /** The person's browser. */
  let browser: TestCalls;
  beforeEach(() => {
    browser = createBrowserCalls(server);
  });

  const invite = async (): Promise<string> => {
    adminToken = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
    const username = `guest${(count += 1)}@example.com`;
    expect(
      (
        await server.call(inviteUser, {
          token: adminToken,
          body: { username, name: 'Guest', userType: 'TENANT_USER', roles: [] },
        })
      ).status,
    ).toBe(201);
    // Mails are sent concurrently. This waits until the invitation is sent before any other mail.
    await readMails(server);
    return username;
  };
  const readMailsTo = async (username: string) => (await readMails(server)).filter(({ to }) => to === username);
  const tryLogin = (username: string, chosenPassword = password) =>
    server.call(login, { body: { username, password: chosenPassword } });
  const toWrongCode = (code: string): string => (code === '000000' ? '111111' : '000000');

  describe('registration', () => {
    it('[API-04] [API-06] activates an invited person with a password and the mailed code, and lets them sign in', async () => {
      const username = await invite();
      expect((await browser.call(register, { body: { username, password } })).status).toBe(200);
      expect((await tryLogin(username)).refusal.code).toBe('E001');
      const otp = await readLastCode(server, username);
      expect((await browser.call(activate, { body: { username, otp } })).status).toBe(200);
      expect((await tryLogin(username)).status).toBe(200);
      expect((await browser.call(activate, { body: { username, otp } })).refusal.code).toBe('E011');
    });

    it('[SEC-02] refuses a password that is short, common or the email address with digits, and sends no code', async () => {
      const username = await invite();
      const readPasswordError = async (chosenPassword: string) => {
        const { status, refusal } = await browser.call(register, { body: { username, password: chosenPassword } });
        return [status, refusal.fields?.[0]?.pointer, refusal.fields?.[0]?.message];
      };
      expect(await readPasswordError('eleven chrs')).toEqual([400, '/password', 'core.validation.minLength']);
      expect(await readPasswordError('iloveunicorns')).toEqual([400, '/password', 'core.validation.passwordCommon']);
      expect(await readPasswordError(`${username}2026`)).toEqual([
        400,
        '/password',
        'core.validation.passwordPersonal',
      ]);
      expect((await readMailsTo(username)).filter(({ content }) => 'code' in content)).toEqual([]);
    });

    it("[SEC-02] refuses the person's name as the password, but only after the right code", async () => {
      const token = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
      const username = `named${(count += 1)}@example.com`;
      const body = { username, name: 'Wilhelmina Vanderbilt', userType: 'TENANT_USER', roles: [] } as const;
      await server.call(inviteUser, { token, body: { ...body, roles: [] } });
      await readMails(server);
      const chosenPassword = 'Vanderbilt Wilhelmina 1';
      for (const registeredUsername of [username, 'stranger@example.com'])
        expect(
          (await browser.call(register, { body: { username: registeredUsername, password: chosenPassword } })).status,
        ).toBe(200);
      await browser.call(register, { body: { username, password: chosenPassword } });
      const refusedReply = await browser.call(activate, {
        body: { username, otp: await readLastCode(server, username) },
      });
      expect([refusedReply.status, refusedReply.refusal.fields?.[0]?.message]).toEqual([
        400,
        'core.validation.passwordPersonal',
      ]);
      await browser.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      expect((await browser.call(activate, { body: { username, otp } })).status).toBe(200);
    });

    it('[API-04] sends the same reply and no mail to people who are not invited', async () => {
      const existingPerson = await server.addPerson();
      const before = (await readMails(server)).length;
      for (const username of ['stranger@example.com', existingPerson.username]) {
        const { status, body } = await browser.call(register, { body: { username, password } });
        expect([status, body]).toEqual([200, {}]);
      }
      expect(await readMails(server)).toHaveLength(before);
      expect((await tryLogin(existingPerson.username)).status).toBe(401);
    });

    it('refuses a registration after the invitation expired', async () => {
      const username = await invite();
      clock.advance(7 * dayMs);
      await browser.call(register, { body: { username, password } });
      expect((await readMailsTo(username)).map(({ content }) => content.kind)).toEqual(['invitation']);
    });

    it('[ACC-04] never activates an account with a password that somebody else registered', async () => {
      const username = await invite();
      const stranger = createBrowserCalls(server, '192.0.2.66');
      await browser.call(register, { body: { username, password } });
      const ownCode = await readLastCode(server, username);
      await stranger.call(register, { body: { username, password: 'chosen by somebody else' } });
      const strangersCode = await readLastCode(server, username);
      if (strangersCode !== ownCode)
        expect((await browser.call(activate, { body: { username, otp: strangersCode } })).refusal.code).toBe('E011');
      expect(
        (await createBrowserCalls(server).call(activate, { body: { username, otp: strangersCode } })).refusal.code,
      ).toBe('E011');
      await browser.call(resendCode, { query: { username } });
      expect(
        (await browser.call(activate, { body: { username, otp: await readLastCode(server, username) } })).status,
      ).toBe(200);
      expect((await tryLogin(username)).status).toBe(200);
      expect((await tryLogin(username, 'chosen by somebody else')).status).toBe(401);
    });

    it('refuses a browser that did not register, even with a resent code', async () => {
      const username = await invite();
      await createBrowserCalls(server, '192.0.2.66').call(register, {
        body: { username, password: 'chosen by somebody else' },
      });
      const before = await readMailsTo(username);
      await browser.call(resendCode, { query: { username } });
      expect(await readMailsTo(username)).toHaveLength(before.length);
      expect(
        (await browser.call(activate, { body: { username, otp: await readLastCode(server, username) } })).refusal.code,
      ).toBe('E011');
    });

    it('lets the person register although somebody else repeatedly registers their email address and guesses codes', async () => {
      const username = await invite();
      const stranger = createBrowserCalls(server, '192.0.2.66');
      await browser.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      for (let attempt = 0; attempt < 8; attempt += 1) {
        await stranger.call(register, { body: { username, password: 'chosen by somebody else' } });
        await readMails(server);
        for (let guess = 0; guess < 6; guess += 1)
          await stranger.call(activate, { body: { username, otp: toWrongCode(otp) } });
      }
      expect((await readMailsTo(username)).filter(({ content }) => content.kind === 'activation')).toHaveLength(6);
      const newBrowser = createBrowserCalls(server);
      await newBrowser.call(register, { body: { username, password: 'chosen anew by the person' } });
      expect(
        (await newBrowser.call(activate, { body: { username, otp: await readLastCode(server, username) } })).status,
      ).toBe(200);
    });

    it('refuses a password that is too short', async () => {
      const { status, refusal } = await browser.call(register, {
        body: { username: 'x@example.com', password: 'short' },
      });
      expect([status, refusal.code]).toEqual([400, 'E002']);
    });
  });

  describe('one-time codes', () => {
    it('[API-06] invalidates a code after five wrong guesses, and never reveals whether the account exists', async () => {
      const username = await invite();
      await browser.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      for (let guess = 0; guess < 5; guess += 1) {
        const existingUserReply = await browser.call(activate, { body: { username, otp: toWrongCode(otp) } });
        const missingUserReply = await browser.call(activate, {
          body: { username: `nobody${guess}@example.com`, otp },
        });
        expect([existingUserReply.status, existingUserReply.refusal.code, existingUserReply.refusal.message]).toEqual([
          missingUserReply.status,
          missingUserReply.refusal.code,
          missingUserReply.refusal.message,
        ]);
        expect(existingUserReply.refusal.code).toBe('E011');
      }
      expect((await browser.call(activate, { body: { username, otp } })).refusal.code).toBe('E011');
      await browser.call(resendCode, { query: { username } });
      expect(
        (await browser.call(activate, { body: { username, otp: await readLastCode(server, username) } })).status,
      ).toBe(200);
      expect((await tryLogin(username)).status).toBe(200);
    });

    it('allows only five guesses, even if all arrive at once', async () => {
      const username = await invite();
      await browser.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      await Promise.all(
        Array.from({ length: 8 }, () => browser.call(activate, { body: { username, otp: toWrongCode(otp) } })),
      );
      expect((await browser.call(activate, { body: { username, otp } })).refusal.code).toBe('E011');
    });

    it('accepts a code only once, even in concurrent requests', async () => {
      const person = await server.addPerson();
      const jar = new CookieJar();
      jar.store((await server.call(requestReset, { query: { username: person.username } })).headers);
      const otp = await readLastCode(server, person.username);
      const resetWith = async (chosenPassword: string) => {
        const body = { username: person.username, password: chosenPassword, otp };
        return (await server.call(resetPassword, { body, headers: jar.headersFor(resetPassword.path) })).status;
      };
      const chosenPasswords = ['the first of all horses', 'the second of all horses', 'the third of all horses'];
      const statuses = await Promise.all(chosenPasswords.map(resetWith));
      expect([...statuses].sort()).toEqual([200, 400, 400]);
      expect(await resetWith('the fourth of all horses')).toBe(400);
      const logins = await Promise.all(
        chosenPasswords.map((chosenPassword) => tryLogin(person.username, chosenPassword)),
      );
      expect(logins.map(({ status }) => status === 200)).toEqual(statuses.map((status) => status === 200));
    });

    it('refuses expired codes', async () => {
      const username = await invite();
      await browser.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      clock.advance(15 * minuteMs);
      expect((await browser.call(activate, { body: { username, otp } })).refusal.code).toBe('E011');
    });

    it('[API-05] sends at most five codes an hour', async () => {
      const person = await server.addPerson();
      for (let round = 0; round < 8; round += 1) {
        await server.call(round % 2 === 0 ? requestReset : resendCode, { query: { username: person.username } });
        await readMails(server);
      }
      expect(await readMailsTo(person.username)).toHaveLength(5);
      clock.advance(60 * minuteMs + 1);
      await browser.call(requestReset, { query: { username: person.username } });
      expect(await readMailsTo(person.username)).toHaveLength(6);
    });

    it('[API-05] limits the codes for an account per network, per hour and per day', async () => {
      const person = await server.addPerson();
      const requestCodes = async (ipAddress: string, times: number): Promise<number> => {
        // One after the other: of two concurrent mails to a person, the older one may be dropped.
        for (let round = 0; round < times; round += 1) {
          await createBrowserCalls(server, ipAddress).call(requestReset, { query: { username: person.username } });
          await readMails(server);
        }
        return (await readMailsTo(person.username)).length;
      };
      for (let host = 1; host <= 7; host += 1) await requestCodes(`2001:db8::${host}`, 1);
      expect(await requestCodes('2001:db8::8', 1)).toBe(5);
      expect(await requestCodes('192.0.2.1', 5)).toBe(8);
      expect(await requestCodes('192.0.2.2', 2)).toBe(9);
      expect(await requestCodes('192.0.2.3', 2)).toBe(10);
      clock.advance(60 * minuteMs + 1);
      expect(await requestCodes('192.0.2.1', 5)).toBe(15);
      expect(await requestCodes('192.0.2.2', 5)).toBe(18);
      clock.advance(60 * minuteMs + 1);
      expect(await requestCodes('192.0.2.3', 5)).toBe(20);
      clock.advance(24 * 60 * minuteMs);
      expect(await requestCodes('192.0.2.3', 1)).toBe(21);
    });

    it('stores one-time codes, and passwords that wait for their code, only as hashes', async () => {
      const username = await invite();
      await browser.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      const rows = await server.database.of<AuthTables>('core').selectFrom('one_time_code').selectAll().execute();
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(Object.values(row)).not.toContain(otp);
      expect(
        rows.every(({ password_hash: hash }) => hash === null || hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$')),
      ).toBe(true);
    });

    it.each(['12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('refuses %s, because a code has six digits', async (otp) => {
      expect((await browser.call(activate, { body: { username: 'x@example.com', otp } })).refusal.code).toBe('E002');
    });
  });

  describe('password reset', () => {
    it('[API-05] sets a new password with the mailed code, ends all sessions and notifies the person by mail', async () => {
      const person = await server.addPerson();
      const session = (await tryLogin(person.username, person.password)).body;
      expect((await browser.call(requestReset, { query: { username: person.username } })).body).toEqual({});
      const otp = await readLastCode(server, person.username);
      expect(
        (await browser.call(resetPassword, { body: { username: person.username, password, otp: toWrongCode(otp) } }))
          .refusal.code,
      ).toBe('E011');
      expect((await browser.call(resetPassword, { body: { username: person.username, password, otp } })).status).toBe(
        200,
      );

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
      expect((await readMailsTo(person.username)).at(-1)?.content.kind).toBe('passwordChanged');
    });

    it("[SEC-02] refuses the person's name as the password, and keeps the code valid", async () => {
      const { username } = await server.addPerson({ username: 'reset-name@example.com' });
      await browser.call(requestReset, { query: { username } });
      const otp = await readLastCode(server, username);
      const resetPasswordTo = (chosenPassword: string) =>
        browser.call(resetPassword, { body: { username, password: chosenPassword, otp } });
      const refusedReply = await resetPasswordTo('Person Reset Name 7');
      expect([refusedReply.status, refusedReply.refusal.fields?.[0]?.message]).toEqual([
        400,
        'core.validation.passwordPersonal',
      ]);
      expect((await resetPasswordTo(password)).status).toBe(200);
      expect((await tryLogin(username)).status).toBe(200);
    });

    it('[API-05] sends the same reply and no mail for a missing account', async () => {
      const before = (await readMails(server)).length;
      for (const call of [requestReset, resendCode]) {
        const { status, body } = await server.call(call, { query: { username: 'stranger@example.com' } });
        expect([status, body]).toEqual([200, {}]);
      }
      expect(await readMails(server)).toHaveLength(before);
    });

    it('refuses an activation code', async () => {
      const username = await invite();
      await browser.call(register, { body: { username, password } });
      const otp = await readLastCode(server, username);
      expect((await browser.call(resetPassword, { body: { username, password, otp } })).refusal.code).toBe('E011');
    });

    it('resets the password although somebody else requests and guesses codes', async () => {
      const { username } = await server.addPerson();
      const stranger = createBrowserCalls(server, '192.0.2.66');
      await browser.call(requestReset, { query: { username } });
      const otp = await readLastCode(server, username);
      for (let round = 0; round < 8; round += 1) await stranger.call(requestReset, { query: { username } });
      for (let guess = 0; guess < 6; guess += 1)
        await stranger.call(resetPassword, { body: { username, password, otp: toWrongCode(otp) } });
      expect((await browser.call(resetPassword, { body: { username, password, otp } })).status).toBe(200);
    });

    it('invalidates the previous code', async () => {
      const person = await server.addPerson();
      await browser.call(requestReset, { query: { username: person.username } });
      const firstCode = await readLastCode(server, person.username);
      await browser.call(resendCode, { query: { username: person.username } });
      const secondCode = await readLastCode(server, person.username);
      if (firstCode !== secondCode)
        expect(
          (await browser.call(resetPassword, { body: { username: person.username, password, otp: firstCode } })).refusal
            .code,
        ).toBe('E011');
      expect(
        (await browser.call(resetPassword, { body: { username: person.username, password, otp: secondCode } })).status,
      ).toBe(200);
    });
  });

  it("[API-14] links to the configured public URL, regardless of the request's host", async () => {
    const person = await server.addPerson();
    await browser.call(requestReset, {
      query: { username: person.username },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    const mail = (await readMailsTo(person.username)).at(-1);
    expect(mail?.text).toContain(
      `https://tours.example/dashboard/login/reset?username=${encodeURIComponent(person.username)}`,
    );
    expect(mail?.text).not.toContain('evil');
  });
});

describe('a server without a public URL', () => {
  it('[API-14] links to the port that the server listens on', async () => {
    const server = await startTestServer();
    const serverUrl = await server.url();
    const person = await server.addPerson();
    await server.call(requestReset, { query: { username: person.username } });
    expect((await readMails(server)).at(-1)?.text).toContain(`${serverUrl}/dashboard/login/reset?username=`);
    await server.close();
  });
});
