import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getMe, login, logout, renewToken } from '#core/api';
import { createMovableClock } from '../../testing/movable-clock.ts';
import {
  describeOnDatabases,
  createTestDatabase,
  startTestServer,
  type DatabaseKind,
  type TestDatabase,
  type TestPerson,
  type TestServer,
} from '../../testing/server.ts';
import { AccessChanges } from '../access/access-changes.ts';
import { systemClock } from '../kernel/clock.ts';
import { Accounts } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';
import { KeyRing } from './key-ring.ts';
import { Sessions } from './sessions.ts';

const client = { device: 'Test', address: '192.0.2.1' };

const many = 100;
const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Invariant of every family: at most one token is neither used nor revoked. */
async function unusedTokens(server: TestServer, username: string): Promise<number> {
  const rows = await server.server.database
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
  me: (token: string) => server.call(getMe, { token }),
  accounts: server.service(Accounts),
});

describeOnDatabases('races of one session', (kind: DatabaseKind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
  });
  afterAll(() => server.close());

  it(`[SES-13] ${many} simultaneous renewals with one token give one successor`, async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken } = await signIn(person);
    const answers = await times(many, () => renew(person, refreshToken));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(answers.map(({ body }) => body.refreshToken));
    expect(successors.size).toBe(1);
    expect(await unusedTokens(server, person.username)).toBe(1);
    expect((await renew(person, [...successors][0] ?? '')).status).toBe(200);
  });

  it('leaves no live token if renewals race a logout', async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken } = await signIn(person);
    const answers = await times(40, (index) =>
      index === 20 ? server.call(logout, { body: { refreshToken } }) : renew(person, refreshToken),
    );
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true);
    expect(await unusedTokens(server, person.username)).toBe(0);
    expect((await renew(person, refreshToken)).status).toBe(401);
  });

  it('[SES-05] leaves no live token if renewals and logins race a deactivation, and answers E006 afterwards', async () => {
    const { signIn, renew, me, accounts } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken, accessToken } = await signIn(person);
    const answers = await times(40, async (index) => {
      if (index === 20) return (await accounts.deactivate(person.uid)).status;
      const answer =
        index % 4 === 0
          ? await server.call(login, { body: { username: person.username, password: person.password } })
          : await renew(person, refreshToken);
      return answer.status === 200 ? 'ok' : answer.refusal.code;
    });
    for (const answer of answers) expect(['ok', 'INACTIVE', 'E006', 'E008']).toContain(answer);
    expect(await unusedTokens(server, person.username)).toBe(0);
    expect((await renew(person, refreshToken)).refusal.code).toBe('E006');
    expect((await me(accessToken)).refusal.code).toBe('E006');
  });

  it('[SES-05] opens no session if the account is deactivated after the password check', async () => {
    const { database } = server.server;
    const tables = database.of<AuthTables>('core');
    const person = await server.addPerson();
    const sessions = new Sessions({
      database,
      clock: systemClock,
      changes: server.service(AccessChanges),
      keys: new KeyRing(database, systemClock, undefined),
      limits: server.config.session,
    });
    let resolveHeld = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      resolveHeld = resolve;
    });
    let opened = false;
    const deactivation = tables.transaction().execute(async (transaction) => {
      await transaction.updateTable('user_account').set({ status: 'INACTIVE' }).where('uid', '=', person.uid).execute();
      resolveHeld();
      // The embedded database has one session, so the login waits for it. On PostgreSQL the test checks that it waits
      // for the account's row.
      const waits = async () =>
        (
          await sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`.execute(
            transaction,
          )
        ).rows[0]?.count ?? 0;
      while (kind === 'postgres' && !opened && (await waits()) === 0);
    });
    await held;
    const opening = sessions.open(person.uid, null, client).finally(() => {
      opened = true;
    });
    await expect(Promise.all([opening, deactivation])).rejects.toMatchObject({ answer: { code: 'E006' } });
    await deactivation;
    expect(await unusedTokens(server, person.username)).toBe(0);
  });

  it('does not keep a person signed in through calls that run during the deactivation', async () => {
    const { signIn, me, accounts } = createCalls(server);
    const person = await server.addPerson();
    const { accessToken } = await signIn(person);
    await times(30, async (index) => (index === 15 ? accounts.deactivate(person.uid) : me(accessToken)));
    expect((await me(accessToken)).refusal.code).toBe('E006');
  });
});

describeOnDatabases('renewals without grace', (kind) => {
  const clock = createMovableClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock, config: { session: { refreshGrace: 0 } } });
  });
  afterAll(() => server.close());

  it(`[SES-13] ${many} simultaneous uses of one token: one is answered, then the family ends`, async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken } = await signIn(person);
    const answers = await times(many, () => renew(person, refreshToken));
    const answered = answers.filter(({ status }) => status === 200);
    expect(answered).toHaveLength(1);
    expect(await unusedTokens(server, person.username)).toBe(0);
    expect((await renew(person, answered[0]?.body.refreshToken ?? '')).status).toBe(401);
  });

  it('[SES-13] ends the family at reuse also if the clock of the first use is ahead', async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    const { refreshToken } = await signIn(person);
    expect((await renew(person, refreshToken)).status).toBe(200);
    clock.advance(-2000);
    expect((await renew(person, refreshToken)).status).toBe(401);
    clock.advance(2000);
    expect(await unusedTokens(server, person.username)).toBe(0);
  });

  it('renews sequentially without end', async () => {
    const { signIn, renew } = createCalls(server);
    const person = await server.addPerson();
    let { refreshToken } = await signIn(person);
    for (let count = 0; count < 20; count += 1) {
      const answer = await renew(person, refreshToken);
      expect(answer.status).toBe(200);
      ({ refreshToken } = answer.body);
    }
    expect(await unusedTokens(server, person.username)).toBe(1);
  });
});

const skewed = 3 * 60_000;

describe('two servers on one database', () => {
  describeOnDatabases('', (kind) => {
    if (kind === 'embedded') {
      it('cannot be tested on an embedded database', async () => {
        const database = await createTestDatabase(kind);
        const first = await startTestServer({ database });
        await expect(startTestServer({ database })).rejects.toThrow(/database/i);
        await first.close();
        await database.remove();
      });
      return;
    }

    let database: TestDatabase;
    let one: TestServer;
    let two: TestServer;
    beforeAll(async () => {
      database = await createTestDatabase(kind);
      one = await startTestServer({ database });
      two = await startTestServer({ database });
    });
    afterAll(async () => {
      await one.close();
      await two.close();
      await database.remove();
    });

    it("[SES-01] accept each other's tokens", async () => {
      const person = await one.addPerson();
      const { accessToken, refreshToken } = await createCalls(one).signIn(person);
      expect((await createCalls(two).me(accessToken)).status).toBe(200);
      const renewed = await createCalls(two).renew(person, refreshToken);
      expect(renewed.status).toBe(200);
      expect((await createCalls(one).me(renewed.body.accessToken)).status).toBe(200);
    });

    it('tolerate a clock that is three minutes ahead', async () => {
      const clock = createMovableClock();
      const ahead = await startTestServer({ database, clock });
      clock.advance(skewed);
      const person = await one.addPerson();
      const { refreshToken } = await createCalls(one).signIn(person);
      const first = await createCalls(ahead).renew(person, refreshToken);
      expect((await createCalls(one).me(first.body.accessToken)).status).toBe(200);
      const second = await createCalls(one).renew(person, first.body.refreshToken);
      for (const { me } of [createCalls(one), createCalls(ahead)])
        expect((await me(second.body.accessToken)).status).toBe(200);
      await ahead.close();
    });

    it('[SES-13] give one successor for simultaneous renewals with one token', async () => {
      const person = await one.addPerson();
      const { refreshToken } = await createCalls(one).signIn(person);
      const answers = await times(many, (index) =>
        createCalls(index % 2 === 0 ? one : two).renew(person, refreshToken),
      );
      const renewed = answers.filter(({ status }) => status === 200);
      expect(renewed.length).toBeGreaterThan(0);
      expect(new Set(renewed.map(({ body }) => body.refreshToken)).size).toBe(1);
      // On a busy machine some renewals get no connection in time and are asked to retry.
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      expect(await unusedTokens(one, person.username)).toBe(1);
    });

    it("[SES-05] end a person's sessions on both as soon as the deactivation is announced", async () => {
      const person = await one.addPerson();
      const { accessToken } = await createCalls(one).signIn(person);
      expect((await createCalls(two).me(accessToken)).status).toBe(200);
      const announced = new Promise<void>(
        (resolve) =>
          void two.server.database.listen('core_access', (payload) => payload.includes(person.uid) && resolve()),
      );
      await createCalls(one).accounts.deactivate(person.uid);
      await announced;
      expect((await createCalls(two).me(accessToken)).refusal.code).toBe('E006');
    });
  });
});
