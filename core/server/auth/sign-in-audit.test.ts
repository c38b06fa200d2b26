import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tokenTransportHeader } from '#core';
import {
  activate,
  changePassword,
  inviteUser,
  logout,
  register,
  renewToken,
  requestReset,
  resetPassword,
} from '#core/api';
import { createBrowserCalls, readLastCode, readMails } from '../../testing/auth-server.ts';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import {
  describeOnDatabases,
  createTestDatabase,
  startTestServer,
  createTestCalls,
  type TestServer,
  login,
} from '../../testing/server.ts';
import { Accounts } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';

const readAuditRows = ({ server }: TestServer) =>
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
  const clock = createTestClock();
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

  let rowCountBefore = 0;
  /** Audit rows that were added since the count was taken. */
  const readNewRows = async () =>
    (await readAuditRows(server)).slice(rowCountBefore).map(({ action, subject, actor, details }) => ({
      action,
      subject,
      actor,
      details: details as unknown as Readonly<Record<string, unknown>>,
    }));
  const readReasons = async () =>
    (await readNewRows()).map(({ action, details }) => `${action} ${String(details['reason'] ?? '')}`.trim());
  /** Calls from different networks, so that tests do not share their limits. */
  const createCallsFromNewNetwork = () => createBrowserCalls(server, `10.1.${(count += 1)}.7`);
  beforeEach(async () => {
    clock.advance(windowMs);
    lines.length = 0;
    rowCountBefore = (await readAuditRows(server)).length;
  });

  it('[SEC-01] records each login with account, IP address and device', async () => {
    const { uid, username, password } = await server.addPerson();
    const calls = createTestCalls(server.app, { address: '192.0.2.9' });
    await calls.call(login, { body: { username, password }, headers: { 'user-agent': chrome } });
    expect(await readNewRows()).toEqual([
      {
        action: 'signIn.succeeded',
        subject: uid,
        actor: uid,
        details: { method: 'password', address: '192.0.2.9', device: 'Chrome (Windows)', session: expect.any(String) },
      },
    ]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({ event: 'signIn.succeeded', account: uid, address: '192.0.2.9' }),
    );
  });

  it('[SEC-01] records the reason of a refused login and hides it in the reply', async () => {
    const calls = createCallsFromNewNetwork();
    const activePerson = await server.addPerson();
    const inactivePerson = await server.addPerson();
    await server.service(Accounts).deactivate(inactivePerson.uid);
    rowCountBefore = (await readAuditRows(server)).length;
    const attempt = async (username: string, password: string, admin?: boolean) =>
      (await calls.call(login, { body: { username, password, ...(admin ? { admin } : {}) } })).refusal.message;
    const messages = [
      await attempt('nobody@example.com', 'guess'),
      await attempt(activePerson.username, 'guess'),
      await attempt(activePerson.username, activePerson.password, true),
      await attempt(inactivePerson.username, 'guess'),
    ];
    expect(new Set(messages)).toEqual(new Set(['Invalid credentials. Please check again']));
    await attempt(inactivePerson.username, inactivePerson.password);
    expect(await readReasons()).toEqual([
      'signIn.refused accountUnknown',
      'signIn.refused passwordWrong',
      'signIn.refused notAdmin',
      'signIn.refused passwordWrong',
      'signIn.refused accountInactive',
    ]);
    const rows = await readNewRows();
    expect(rows.map(({ subject }) => subject)).toEqual([
      'unknown',
      activePerson.uid,
      activePerson.uid,
      inactivePerson.uid,
      inactivePerson.uid,
    ]);
    expect(rows.every(({ actor, details }) => actor === null && String(details['address']).startsWith('10.1.'))).toBe(
      true,
    );
    expect(rows[0]?.details['name']).toMatch(/^[\w-]{12}$/);
  });

  it('[SEC-01] records throttled attempts for existing and missing accounts', async () => {
    const { uid, username } = await server.addPerson();
    for (const name of [username, 'nobody-else@example.com']) {
      const calls = createCallsFromNewNetwork();
      await Promise.all(
        Array.from({ length: 11 }, () => calls.call(login, { body: { username: name, password: 'guess' } })),
      );
    }
    const throttledRows = (await readNewRows()).filter(({ details }) => details['reason'] === 'throttled');
    expect(throttledRows.map(({ subject }) => subject)).toEqual([uid, 'unknown']);
  });

  it('[SEC-01] records refused renewals and logouts once each', async () => {
    const calls = createCallsFromNewNetwork();
    const { uid, username, password } = await server.addPerson();
    const renew = (refreshToken: string) => calls.call(renewToken, { query: {}, body: { username, refreshToken } });
    const { refreshToken } = (await calls.call(login, { body: { username, password } })).body;
    const secondToken = (await renew(refreshToken)).body.refreshToken;
    await renew('made up');
    clock.advance(60_000);
    await renew(refreshToken);
    await renew(secondToken);
    const thirdToken = (await calls.call(login, { body: { username, password } })).body.refreshToken;
    for (let time = 0; time < 3; time += 1) await calls.call(logout, { body: { refreshToken: thirdToken } });
    await calls.call(logout, { body: { refreshToken: 'made up' } });
    expect(await readReasons()).toEqual([
      'signIn.succeeded',
      'session.renewalRefused tokenUnknown',
      'session.renewalRefused tokenReused',
      'session.renewalRefused sessionOver',
      'signIn.succeeded',
      'session.ended',
    ]);
    expect((await readNewRows()).map(({ subject }) => subject)).toEqual([uid, 'unknown', uid, uid, uid, uid]);
  });

  it('[SEC-01] records issued, refused and used codes, and a wrong password at a password change', async () => {
    const browser = createCallsFromNewNetwork();
    const { uid, username } = await server.addPerson();
    await browser.call(requestReset, { query: { username: 'nobody@example.com' } });
    await browser.call(requestReset, { query: { username } });
    const otp = await readLastCode(server, username);
    const resetWith = (code: string) =>
      browser.call(resetPassword, { body: { username, password: 'a quite new sentence', otp: code } });
    await resetWith(otp === '000000' ? '111111' : '000000');
    await resetWith(otp);
    await resetWith(otp);
    const token = (await browser.call(login, { body: { username, password: 'a quite new sentence' } })).body
      .accessToken;
    await browser.call(changePassword, { token, body: { current: 'wrong', next: 'another new sentence' } });
    const reasons = await readReasons();
    expect(reasons.slice(0, 2).toSorted()).toEqual(['code.issued', 'code.notIssued accountUnknown']);
    expect(reasons.slice(2)).toEqual([
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
    const browser = createCallsFromNewNetwork();
    const chosenPassword = 'the chosen sentence';
    await browser.call(register, { body: { username, password: chosenPassword } });
    const otp = await readLastCode(server, username);
    await browser.call(activate, { body: { username, otp } });
    const typedAsName = 'typed-secret@as-name';
    await browser.call(login, { body: { username: typedAsName, password: 'guessed secret' } });
    const plainTokens = (await browser.call(login, { body: { username, password: chosenPassword } })).body;
    await browser.call(renewToken, { query: {}, body: { username: '', refreshToken: `${plainTokens.refreshToken}x` } });
    const answer = await server.call(login, { body: { username, password: chosenPassword }, headers: inCookie });
    jar.store(answer.headers);
    await server.call(logout, { body: {}, headers: jar.headersFor(logout.path) });
    const secrets = [
      chosenPassword,
      otp,
      'guessed secret',
      typedAsName,
      plainTokens.refreshToken,
      plainTokens.accessToken,
      answer.body.accessToken,
      jar.get('refreshToken')?.value,
      admin,
    ].filter((secret) => secret !== undefined);
    expect(secrets.length).toBeGreaterThan(7);
    const output = `${JSON.stringify(await readAuditRows(server))}\n${lines.join('')}`;
    expect(output).toContain('signIn.refused');
    for (const secret of secrets) expect(output).not.toContain(secret);
  });

  describe('under attack', () => {
    it('[SEC-01] records the first refusals individually and the others as one row per reason', async () => {
      const calls = createCallsFromNewNetwork();
      const target = await server.addPerson();
      for (let attempt = 0; attempt < 40; attempt += 1)
        await calls.call(renewToken, { query: {}, body: { username: '', refreshToken: `made up ${attempt}` } });
      await calls.call(login, { body: { username: target.username, password: 'guess' } });
      expect(await readNewRows()).toHaveLength(20);
      clock.advance(windowMs);
      await createCallsFromNewNetwork().call(renewToken, {
        query: {},
        body: { username: '', refreshToken: 'the next' },
      });
      const [renewalSummary, loginSummary, nextRow, ...others] = (await readNewRows()).slice(20);
      expect(others).toEqual([]);
      expect(renewalSummary).toMatchObject({
        action: 'session.renewalRefused',
        details: { reason: 'tokenUnknown', summarised: true, count: 20, networks: 1 },
      });
      expect(loginSummary).toMatchObject({
        action: 'signIn.refused',
        details: { reason: 'passwordWrong', count: 1, accounts: 1, busiestAccounts: { [target.uid]: 1 } },
      });
      expect(nextRow?.details).not.toHaveProperty('summarised');
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
  await server.database.query('alter table core.audit_log rename to audit_log_away');
  await server.close();
  const summarisedEvents = lines.flatMap((line) => {
    const { event, summarised } = JSON.parse(line) as { readonly event?: string; readonly summarised?: boolean };
    return summarised ? [event] : [];
  });
  expect(summarisedEvents.toSorted()).toEqual(['session.renewalRefused', 'signIn.refused']);
});

it('[SEC-01] writes counted refusals when the server stops', async () => {
  const database = await createTestDatabase('embedded');
  const stoppedServer = await startTestServer({ database });
  for (let attempt = 0; attempt < 25; attempt += 1)
    await stoppedServer.call(renewToken, { query: {}, body: { username: '', refreshToken: 'made up' } });
  await stoppedServer.close();
  const restartedServer = await startTestServer({ database });
  const rows = await readAuditRows(restartedServer);
  expect(rows).toHaveLength(21);
  expect(rows.at(-1)?.details).toMatchObject({ summarised: true, count: 5 });
  await restartedServer.close();
  await database.remove();
});
