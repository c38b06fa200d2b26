import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenTransportHeader } from '#core';
import {
  activate,
  changePassword,
  inviteUser,
  login,
  logout,
  register,
  renewToken,
  requestReset,
  resetPassword,
} from '#core/api';
import { createBrowserCalls, readLastCode, readMails } from '../../testing/auth-server.ts';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { createMovableClock } from '../../testing/movable-clock.ts';
import {
  describeOnDatabases,
  createTestDatabase,
  startTestServer,
  createTestCalls,
  type TestServer,
} from '../../testing/server.ts';
import { Accounts } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';

const rowsIn = ({ server }: TestServer) =>
  server.database
    .of<AuthTables>('core')
    .selectFrom('audit_log')
    .selectAll()
    .orderBy(sql`id`)
    .execute();

const windowMs = 10 * 60_000;
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

describeOnDatabases('the audit of sign-ins', (kind) => {
  const clock = createMovableClock();
  const lines: string[] = [];
  let server: TestServer;
  let count = 0;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      clock,
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    });
  });
  afterAll(() => server.close());

  let before = 0;
  /** Audit rows since the test began, except expected ones. */
  const readNewRows = async () =>
    (await rowsIn(server)).slice(before).map(({ action, subject, actor, details }) => ({
      action,
      subject,
      actor,
      details: details as unknown as Readonly<Record<string, unknown>>,
    }));
  const reasons = async () =>
    (await readNewRows()).map(({ action, details }) => `${action} ${String(details['reason'] ?? '')}`.trim());
  /** Calls from different networks, so that tests do not share their limits. */
  const callsFromElsewhere = () => createBrowserCalls(server, `10.1.${(count += 1)}.7`);
  beforeEach(async () => {
    clock.advance(windowMs);
    lines.length = 0;
    before = (await rowsIn(server)).length;
  });

  it('[SEC-01] records each login with account, address and device', async () => {
    const { uid, username, password } = await server.addPerson();
    const calls = createTestCalls(server.app, { address: '192.0.2.9' });
    await calls.call(login, { body: { username, password }, headers: { 'user-agent': chrome } });
    expect(await readNewRows()).toEqual([
      {
        action: 'signIn.succeeded',
        subject: uid,
        actor: uid,
        details: { method: 'password', address: '192.0.2.9', device: 'Chrome on Windows', session: expect.any(String) },
      },
    ]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({ event: 'signIn.succeeded', account: uid, address: '192.0.2.9' }),
    );
  });

  it('[SEC-01] records why a login is refused, while the replies are the same', async () => {
    const calls = callsFromElsewhere();
    const known = await server.addPerson();
    const inactive = await server.addPerson();
    await server.service(Accounts).deactivate(inactive.uid);
    before = (await rowsIn(server)).length;
    const attempt = async (username: string, password: string, admin?: boolean) =>
      (await calls.call(login, { body: { username, password, ...(admin ? { admin } : {}) } })).refusal.message;
    const alike = [
      await attempt('nobody@example.com', 'guess'),
      await attempt(known.username, 'guess'),
      await attempt(known.username, known.password, true),
      await attempt(inactive.username, 'guess'),
    ];
    expect(new Set(alike)).toEqual(new Set(['Invalid credentials. Please check again']));
    await attempt(inactive.username, inactive.password);
    expect(await reasons()).toEqual([
      'signIn.refused accountUnknown',
      'signIn.refused passwordWrong',
      'signIn.refused notAdmin',
      'signIn.refused passwordWrong',
      'signIn.refused accountInactive',
    ]);
    const rows = await readNewRows();
    expect(rows.map(({ subject }) => subject)).toEqual(['unknown', known.uid, known.uid, inactive.uid, inactive.uid]);
    expect(rows.every(({ actor, details }) => actor === null && String(details['address']).startsWith('10.1.'))).toBe(
      true,
    );
    expect(rows[0]?.details['name']).toMatch(/^[\w-]{12}$/);
  });

  it('[SEC-01] records throttled attempts, also for a missing account', async () => {
    const { uid, username } = await server.addPerson();
    for (const name of [username, 'nobody-else@example.com']) {
      const calls = callsFromElsewhere();
      await Promise.all(
        Array.from({ length: 11 }, () => calls.call(login, { body: { username: name, password: 'guess' } })),
      );
    }
    const throttled = (await readNewRows()).filter(({ details }) => details['reason'] === 'throttled');
    expect(throttled.map(({ subject }) => subject)).toEqual([uid, 'unknown']);
  });

  it('[SEC-01] records refused renewals and logouts once each', async () => {
    const calls = callsFromElsewhere();
    const { uid, username, password } = await server.addPerson();
    const renew = (refreshToken: string) => calls.call(renewToken, { query: {}, body: { username, refreshToken } });
    const { refreshToken } = (await calls.call(login, { body: { username, password } })).body;
    const second = (await renew(refreshToken)).body.refreshToken;
    await renew('made up');
    clock.advance(60_000);
    await renew(refreshToken);
    await renew(second);
    const third = (await calls.call(login, { body: { username, password } })).body.refreshToken;
    for (let time = 0; time < 3; time += 1) await calls.call(logout, { body: { refreshToken: third } });
    await calls.call(logout, { body: { refreshToken: 'made up' } });
    expect(await reasons()).toEqual([
      'signIn.succeeded',
      'session.renewalRefused tokenUnknown',
      'session.renewalRefused tokenReused',
      'session.renewalRefused sessionOver',
      'signIn.succeeded',
      'session.ended',
    ]);
    expect((await readNewRows()).map(({ subject }) => subject)).toEqual([uid, 'unknown', uid, uid, uid, uid]);
  });

  it('[SEC-01] records codes that were requested, sent, refused and used, and a wrong password at its change', async () => {
    const tab = callsFromElsewhere();
    const { uid, username } = await server.addPerson();
    await tab.call(requestReset, { query: { username: 'nobody@example.com' } });
    await tab.call(requestReset, { query: { username } });
    const otp = await readLastCode(server, username);
    const reset = (code: string) =>
      tab.call(resetPassword, { body: { username, password: 'a quite new sentence', otp: code } });
    await reset(otp === '000000' ? '111111' : '000000');
    await reset(otp);
    await reset(otp);
    const token = (await tab.call(login, { body: { username, password: 'a quite new sentence' } })).body.accessToken;
    await tab.call(changePassword, { token, body: { current: 'wrong', next: 'another new sentence' } });
    const found = await reasons();
    expect(found.slice(0, 2).toSorted()).toEqual(['code.issued', 'code.notIssued accountUnknown']);
    expect(found.slice(2)).toEqual([
      'code.refused codeWrong',
      'account.passwordReset',
      'code.used',
      'code.refused otherBrowser',
      'signIn.succeeded',
      'password.refused passwordWrong',
    ]);
    expect((await readNewRows()).find(({ action }) => action === 'code.used')?.subject).toBe(uid);
  });

  it('[SEC-01] writes no password, token or code to the table or the log', async () => {
    const jar = new CookieJar();
    const inCookie = { [tokenTransportHeader]: 'cookie' };
    const admin = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
    const username = 'secretive@example.com';
    await server.call(inviteUser, {
      token: admin,
      body: { username, name: 'S', userType: 'TENANT_USER', roles: [] },
    });
    await readMails(server);
    const tab = callsFromElsewhere();
    const chosen = 'the chosen sentence';
    await tab.call(register, { body: { username, password: chosen } });
    const otp = await readLastCode(server, username);
    await tab.call(activate, { body: { username, otp } });
    const typedAsName = 'typed-secret@as-name';
    await tab.call(login, { body: { username: typedAsName, password: 'guessed secret' } });
    const plain = (await tab.call(login, { body: { username, password: chosen } })).body;
    await tab.call(renewToken, { query: {}, body: { username: '', refreshToken: `${plain.refreshToken}x` } });
    const answer = await server.call(login, { body: { username, password: chosen }, headers: inCookie });
    jar.store(answer.headers);
    await server.call(logout, { body: {}, headers: jar.headersFor(logout.path) });
    const secrets = [
      chosen,
      otp,
      'guessed secret',
      typedAsName,
      plain.refreshToken,
      plain.accessToken,
      answer.body.accessToken,
      jar.get('refreshToken')?.value,
      admin,
    ].filter((secret) => secret !== undefined);
    expect(secrets.length).toBeGreaterThan(7);
    const written = `${JSON.stringify(await rowsIn(server))}\n${lines.join('')}`;
    expect(written).toContain('signIn.refused');
    for (const secret of secrets) expect(written).not.toContain(secret);
  });

  describe('under attack', () => {
    it('[SEC-01] records the first refusals individually and the others as one row per reason', async () => {
      const calls = callsFromElsewhere();
      const target = await server.addPerson();
      for (let attempt = 0; attempt < 40; attempt += 1)
        await calls.call(renewToken, { query: {}, body: { username: '', refreshToken: `made up ${attempt}` } });
      await calls.call(login, { body: { username: target.username, password: 'guess' } });
      expect(await readNewRows()).toHaveLength(20);
      clock.advance(windowMs);
      await callsFromElsewhere().call(renewToken, { query: {}, body: { username: '', refreshToken: 'the next' } });
      const [renewals, logins, next, ...others] = (await readNewRows()).slice(20);
      expect(others).toEqual([]);
      expect(renewals).toMatchObject({
        action: 'session.renewalRefused',
        details: { reason: 'tokenUnknown', summarised: true, count: 20, networks: 1 },
      });
      expect(logins).toMatchObject({
        action: 'signIn.refused',
        details: { reason: 'passwordWrong', count: 1, accounts: 1, busiestAccounts: { [target.uid]: 1 } },
      });
      expect(next?.details).not.toHaveProperty('summarised');
    });

    it('[SEC-01] writes at most 100 rows in ten minutes, regardless of the number of networks', async () => {
      await Promise.all(
        Array.from({ length: 120 }, (_, network) =>
          createBrowserCalls(server, `10.2.${network}.1`).call(renewToken, {
            query: {},
            body: { username: '', refreshToken: 'made up' },
          }),
        ),
      );
      expect(await readNewRows()).toHaveLength(100);
    });
  });
});

it('[SEC-01] writes counted refusals to the log if the audit log cannot be written', async () => {
  const lines: string[] = [];
  const server = await startTestServer({ log: pino({}, { write: (line: string) => void lines.push(line) }) });
  for (let attempt = 0; attempt < 25; attempt += 1) {
    await server.call(renewToken, { query: {}, body: { username: '', refreshToken: 'made up' } });
    await server.call(login, { body: { username: `nobody${attempt}@example.com`, password: 'guess' } });
  }
  await server.server.database.query('alter table core.audit_log rename to audit_log_away');
  await server.close();
  const counted = lines.flatMap((line) => {
    const { event, summarised } = JSON.parse(line) as { readonly event?: string; readonly summarised?: boolean };
    return summarised ? [event] : [];
  });
  expect(counted.toSorted()).toEqual(['session.renewalRefused', 'signIn.refused']);
});

it('[SEC-01] writes counted refusals when the server stops', async () => {
  const database = await createTestDatabase('embedded');
  const first = await startTestServer({ database });
  for (let attempt = 0; attempt < 25; attempt += 1)
    await first.call(renewToken, { query: {}, body: { username: '', refreshToken: 'made up' } });
  await first.close();
  const second = await startTestServer({ database });
  const rows = await rowsIn(second);
  expect(rows).toHaveLength(21);
  expect(rows.at(-1)?.details).toMatchObject({ summarised: true, count: 5 });
  await second.close();
  await database.remove();
});
