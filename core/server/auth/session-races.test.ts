import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getMe, logout, renewToken } from '#core/api';
import { createTestClock } from '../../testing/test-clock.ts';
import {
  describeOnDatabases,
  createTestDatabase,
  startTestServer,
  type DatabaseKind,
  type TestDatabase,
  type TestPerson,
  type TestServer,
  login,
} from '../../testing/server.ts';
import { AccessChanges } from '../access/access-changes.ts';
import { systemClock } from '../kernel/clock.ts';
import { Accounts } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';
import { KeyRing } from './key-ring.ts';
import { Sessions } from './sessions.ts';

const client = { device: 'Test', address: '192.0.2.1' };

const renewalCount = 100;
const runConcurrently = <T>(count: number, work: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Counts the refresh tokens that are neither used nor revoked. Each session has at most one. */
async function countUnusedTokens(server: TestServer, username: string): Promise<number> {
  const rows = await server.database
    .of<AuthTables>('core')
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'refresh_token.session')
    .innerJoin('user_account', 'user_account.uid', 'session.account')
    .select('refresh_token.hash')
    .where('user_account.username', '=', username)
    .where('refresh_token.used_at', 'is', null)
    .where('refresh_token.revoked_at', 'is', null)
    .where('session.revoked_at', 'is', null)
    .execute();
  return rows.length;
}

const createCalls = (server: TestServer) => ({
  signIn: async ({ username, password }: TestPerson) =>
    (await server.call(login, { body: { username, password } })).body,
  renew: ({ username }: TestPerson, refreshToken: string) =>
    server.call(renewToken, { query: {}, body: { username, refreshToken } }),
  callMe: (token: string) => server.call(getMe, { token }),
  accounts: server.service(Accounts),
});

describeOnDatabases('races of one session', (kind: DatabaseKind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
  });
  afterAll(() => server.close());

  it(`[SES-13] gives one successor for ${renewalCount} simultaneous renewals with one token`, async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken } = await signIn(person);
    const answers = await runConcurrently(renewalCount, () => renew(person, refreshToken));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(answers.map(({ body }) => body.refreshToken));
    expect(successors.size).toBe(1);
    expect(await countUnusedTokens(server, person.username)).toBe(1);
    expect((await renew(person, [...successors][0] ?? '')).status).toBe(200);
  });

  it('leaves no live token if renewals race a logout', async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken } = await signIn(person);
    const answers = await runConcurrently(40, (index) =>
      index === 20 ? server.call(logout, { body: { refreshToken } }) : renew(person, refreshToken),
    );
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
    expect(await countUnusedTokens(server, person.username)).toBe(0);
    expect((await renew(person, refreshToken)).status).toBe(401);
  });

  it('[SES-05] leaves no live token if renewals and logins race a deactivation, and answers E006 afterwards', async () => {
    const { signIn, renew, callMe, accounts } = createCalls(server);
    const person = await server.addPerson({ slowPassword: true });
    const { refreshToken, accessToken } = await signIn(person);
    const answers = await runConcurrently(40, async (index) => {
      if (index === 20) return (await accounts.deactivate(person.uid)).status;
      const answer =
        index % 4 === 0
          ? await server.call(login, { body: { username: person.username, password: person.password } })
          : await renew(person, refreshToken);
      return answer.status === 200 ? 'ok' : answer.refusal.code;
    });
    for (const answer of answers) expect(['ok', 'INACTIVE', 'E006', 'E008']).toContain(answer);
    expect(await countUnusedTokens(server, person.username)).toBe(0);
    expect((await renew(person, refreshToken)).refusal.code).toBe('E006');
    expect((await callMe(accessToken)).refusal.code).toBe('E006');
  });

  it('[SES-05] opens no session if the account is deactivated after the password check', async () => {
    const { database } = server;
    const tables = database.of<AuthTables>('core');
    const person = await server.addPerson();
    const sessions = new Sessions({
      database,
      clock: systemClock,
      changes: server.service(AccessChanges),
      keys: new KeyRing(database, systemClock, undefined),
      limits: server.config.session,
    });
    let resolveRowLocked = (): void => undefined;
    const rowLocked = new Promise<void>((resolve) => {
      resolveRowLocked = resolve;
    });
    let isSettled = false;
    const deactivation = tables.transaction().execute(async (transaction) => {
      await transaction.updateTable('user_account').set({ status: 'INACTIVE' }).where('uid', '=', person.uid).execute();
      resolveRowLocked();
      // The embedded database has one session, so the login waits for it. On PostgreSQL the test checks that it waits
      // for the account's row.
      const countWaitingLocks = async () =>
        (
          await sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`.execute(
            transaction,
          )
        ).rows[0]?.count ?? 0;
      while (kind === 'postgres' && !isSettled && (await countWaitingLocks()) === 0);
    });
    await rowLocked;
    const opening = sessions.open(person.uid, null, client).finally(() => {
      isSettled = true;
    });
    await expect(Promise.all([opening, deactivation])).rejects.toMatchObject({ clientError: { code: 'E006' } });
    await deactivation;
    expect(await countUnusedTokens(server, person.username)).toBe(0);
  });

  it('refuses a deactivated person, even after calls that ran during the deactivation', async () => {
    const { signIn, callMe, accounts } = createCalls(server);
    const person = await server.addPerson();
    const { accessToken } = await signIn(person);
    await runConcurrently(30, async (index) => (index === 15 ? accounts.deactivate(person.uid) : callMe(accessToken)));
    expect((await callMe(accessToken)).refusal.code).toBe('E006');
  });
});

describeOnDatabases('renewals without a grace period', (kind) => {
  const clock = createTestClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock, config: { session: { refreshGraceMs: 0 } } });
  });
  afterAll(() => server.close());

  it(`[SES-13] answers one of ${renewalCount} simultaneous uses of one token, and ends the session`, async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken } = await signIn(person);
    const answers = await runConcurrently(renewalCount, () => renew(person, refreshToken));
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    expect(await countUnusedTokens(server, person.username)).toBe(0);
    expect((await renew(person, successes[0]?.body.refreshToken ?? '')).status).toBe(401);
  });

  it('[SES-13] ends the session if a token is reused, even if the clock was set back after the first use', async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken } = await signIn(person);
    expect((await renew(person, refreshToken)).status).toBe(200);
    clock.advance(-2000);
    expect((await renew(person, refreshToken)).status).toBe(401);
    clock.advance(2000);
    expect(await countUnusedTokens(server, person.username)).toBe(0);
  });

  it('renews a session many times in sequence', async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    let { refreshToken } = await signIn(person);
    for (let count = 0; count < 20; count += 1) {
      const answer = await renew(person, refreshToken);
      expect(answer.status).toBe(200);
      ({ refreshToken } = answer.body);
    }
    expect(await countUnusedTokens(server, person.username)).toBe(1);
  });
});

const clockSkewMs = 3 * 60_000;

describe('two servers on one database', () => {
  describeOnDatabases('', (kind) => {
    if (kind === 'embedded') {
      it('refuses a second server on an embedded database', async () => {
        const database = await createTestDatabase(kind);
        const server = await startTestServer({ database });
        await expect(startTestServer({ database })).rejects.toThrow(/database/i);
        await server.close();
        await database.remove();
      });
      return;
    }

    let database: TestDatabase;
    let firstServer: TestServer;
    let secondServer: TestServer;
    beforeAll(async () => {
      database = await createTestDatabase(kind);
      firstServer = await startTestServer({ database });
      secondServer = await startTestServer({ database });
    });
    afterAll(async () => {
      await firstServer.close();
      await secondServer.close();
      await database.remove();
    });

    it("[SES-01] accept each other's tokens", async () => {
      const person = await firstServer.addPerson();
      const { accessToken, refreshToken } = await createCalls(firstServer).signIn(person);
      expect((await createCalls(secondServer).callMe(accessToken)).status).toBe(200);
      const renewReply = await createCalls(secondServer).renew(person, refreshToken);
      expect(renewReply.status).toBe(200);
      expect((await createCalls(firstServer).callMe(renewReply.body.accessToken)).status).toBe(200);
    });

    it('tolerate a clock that is three minutes ahead', async () => {
      const clock = createTestClock();
      const aheadServer = await startTestServer({ database, clock });
      clock.advance(clockSkewMs);
      const person = await firstServer.addPerson();
      const { refreshToken } = await createCalls(firstServer).signIn(person);
      const firstReply = await createCalls(aheadServer).renew(person, refreshToken);
      expect((await createCalls(firstServer).callMe(firstReply.body.accessToken)).status).toBe(200);
      const secondReply = await createCalls(firstServer).renew(person, firstReply.body.refreshToken);
      for (const { callMe } of [createCalls(firstServer), createCalls(aheadServer)])
        expect((await callMe(secondReply.body.accessToken)).status).toBe(200);
      await aheadServer.close();
    });

    it('[SES-13] give one successor for simultaneous renewals with one token', async () => {
      const person = await firstServer.addPerson();
      const { refreshToken } = await createCalls(firstServer).signIn(person);
      const answers = await runConcurrently(renewalCount, (index) =>
        createCalls(index % 2 === 0 ? firstServer : secondServer).renew(person, refreshToken),
      );
      const renewReplies = answers.filter(({ status }) => status === 200);
      expect(renewReplies.length).toBeGreaterThan(0);
      expect(new Set(renewReplies.map(({ body }) => body.refreshToken)).size).toBe(1);
      // On a busy machine some renewals get no connection in time and are asked to retry.
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      expect(await countUnusedTokens(firstServer, person.username)).toBe(1);
    });

    it("[SES-05] end a person's sessions on both as soon as the deactivation is announced", async () => {
      const person = await firstServer.addPerson();
      const { accessToken } = await createCalls(firstServer).signIn(person);
      expect((await createCalls(secondServer).callMe(accessToken)).status).toBe(200);
      const announcement = new Promise<void>(
        (resolve) =>
          void secondServer.database.listen('core_access', (payload) => payload.includes(person.uid) && resolve()),
      );
      await createCalls(firstServer).accounts.deactivate(person.uid);
      await announcement;
      expect((await createCalls(secondServer).callMe(accessToken)).refusal.code).toBe('E006');
    });
  });
});
