import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePath, routes, tokenTransportHeader } from '#core';
import {
  exchangeCode,
  getMe,
  getSecondFactor,
  inviteUser,
  login,
  renewToken,
  startEnrolment,
  startSignOn,
} from '#core/api';
import { CookieJar } from '../../../testing/cookie-jar.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../../testing/identity-provider.ts';
import { createTestClock } from '../../../testing/test-clock.ts';
import { describeOnDatabases, startTestServer, testProduct, type TestServer } from '../../../testing/server.ts';
import { Accounts } from '../accounts.ts';
import type { AuthTables } from '../auth-tables.ts';

const publicUrl = 'https://tours.example';
const registeredUrl = `${publicUrl}${basePath}/${routes.signOnReturn.path}`;

let first: TestIdentityProvider;
let second: TestIdentityProvider;
beforeAll(async () => {
  [first, second] = await Promise.all([startIdentityProvider(registeredUrl), startIdentityProvider(registeredUrl)]);
});
afterAll(() => Promise.all([first.stop(), second.stop()]));

describeOnDatabases('single sign-on', (kind) => {
  const lines: string[] = [];
  const clock = createTestClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      clock,
      product: { ...testProduct, login: { ...testProduct.login, adminsNeedSecondFactor: true } },
      config: { publicUrl, signOn: { first: first.configuration, second: second.configuration } },
      log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    });
    await server.addPerson({ username: 'ann@example.com' });
  });
  afterAll(() => server.close());

  /** Acts as a browser that starts, signs in at the provider, and returns with the provider's parameters. */
  const signInAtProvider = async (
    email: string,
    options: { readonly provider?: 'first' | 'second'; readonly jar?: CookieJar } = {},
  ) => {
    const { provider = 'first', jar = new CookieJar() } = options;
    const startReply = await server.call(startSignOn, {
      query: { provider },
      headers: jar.headersFor(startSignOn.path),
    });
    expect(startReply.status).toBe(200);
    jar.store(startReply.headers);
    const returnUrl = await (provider === 'first' ? first : second).signIn(startReply.body.address, email);
    const pickParam = (name: string) =>
      returnUrl.searchParams.has(name) ? { [name]: returnUrl.searchParams.get(name) ?? '' } : {};
    return {
      jar,
      query: { code: returnUrl.searchParams.get('code') ?? '', ...pickParam('state'), ...pickParam('iss') },
    };
  };
  const exchange = async (
    query: Parameters<typeof server.call<typeof exchangeCode>>[1]['query'],
    jar: CookieJar,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await server.call(exchangeCode, {
      query,
      headers: { ...headers, ...jar.headersFor(exchangeCode.path) },
    });
    jar.store(answer.headers);
    return answer;
  };

  it('[PRO-02] [API-03] signs in by the first and by the second provider', async () => {
    for (const provider of ['first', 'second'] as const) {
      const person = await server.addPerson({ username: `ann@${provider}.example.com` });
      const { jar, query } = await signInAtProvider(`Ann@${provider}.Example.com`, { provider });
      const answer = await exchange(query, jar);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ username: person.username, isAdmin: false });
      expect((await server.call(getMe, { token: answer.body.accessToken })).body.uid).toBe(person.uid);
      expect(
        (
          await server.call(renewToken, {
            query: {},
            body: { username: person.username, refreshToken: answer.body.refreshToken },
          })
        ).status,
      ).toBe(200);
    }
  });

  it('[SEC-03] asks an admin of a provider for no second factor, and offers none to an account without a password', async () => {
    const { uid, username, password } = await server.addPerson({
      userType: 'TENANT_ADMIN',
      username: 'admin@example.com',
    });
    expect((await server.call(login, { body: { username, password } })).body).toHaveProperty('challenge');
    const clearPassword = () =>
      server.database
        .of<AuthTables>('core')
        .updateTable('user_account')
        .set({ password_hash: null })
        .where('uid', '=', uid)
        .execute();
    for (const change of [async () => undefined, clearPassword]) {
      await change();
      const { jar, query } = await signInAtProvider(username);
      const { status, body } = await exchange(query, jar);
      expect([status, body.username, 'challenge' in body]).toEqual([200, username, false]);
      expect((await server.call(getMe, { token: body.accessToken })).body.uid).toBe(uid);
      expect((await server.call(getSecondFactor, { token: body.accessToken })).body).toMatchObject({
        available: change !== clearPassword,
        since: null,
      });
      if (change !== clearPassword) continue;
      const enrolment = await server.call(startEnrolment, { body: { password }, token: body.accessToken });
      expect([enrolment.status, enrolment.refusal.fields?.[0]?.pointer]).toEqual([400, '/password']);
    }
  });

  it('[API-03] accepts a code without state, and sets the refresh token as a cookie on request', async () => {
    await server.addPerson({ username: 'cookie@example.com' });
    const { jar, query } = await signInAtProvider('cookie@example.com');
    const answer = await exchange({ code: query.code }, jar, { [tokenTransportHeader]: 'cookie' });
    expect([answer.status, answer.body.refreshToken]).toEqual([200, 'cookie']);
    expect(jar.get('__Host-refreshToken')?.attributes).toMatchObject({
      httponly: true,
      secure: true,
      samesite: 'Strict',
    });
  });

  it('stores the transaction in an HttpOnly cookie for ten minutes', async () => {
    const { jar, query } = await signInAtProvider('ann@example.com');
    expect(jar.get('__Host-signOn')?.attributes).toMatchObject({
      httponly: true,
      secure: true,
      samesite: 'Strict',
      path: '/',
      'max-age': '600',
    });
    clock.advance(600_000);
    expect((await exchange(query, jar)).status).toBe(401);
  });

  it('activates an invited account', async () => {
    const token = await server.signIn({ flags: ['userManagement'] });
    const { uid } = (
      await server.call(inviteUser, {
        token,
        body: { username: 'invited@example.com', name: 'Invited', userType: 'TENANT_USER', roles: [] },
      })
    ).body;
    const { jar, query } = await signInAtProvider('invited@example.com');
    expect((await exchange(query, jar)).status).toBe(200);
    expect((await server.service(Accounts).find(uid))?.status).toBe('ACTIVE');
  });

  it('[SES-15] refuses a person without an account and creates none', async () => {
    const { jar, query } = await signInAtProvider('stranger@example.com');
    const { status, refusal } = await exchange(query, jar);
    expect([status, refusal.code]).toEqual([403, 'E003']);
    expect(await server.service(Accounts).findByUsername('stranger@example.com')).toBeUndefined();
  });

  it('[SES-15] refuses an email address that the provider did not verify, as if it had no account', async () => {
    await server.addPerson({ username: 'unverified@example.com' });
    const { jar, query } = await signInAtProvider('unverified@example.com');
    const { status, refusal } = await exchange(query, jar);
    expect([status, refusal.code]).toEqual([403, 'E003']);
  });

  describe('identities', () => {
    const ownDomains = { first: 'first-only.example', second: 'second-only.example' };
    let domainServer: TestServer;
    beforeAll(async () => {
      domainServer = await startTestServer({
        database: server.database,
        clock,
        config: {
          publicUrl,
          signOn: {
            first: { ...first.configuration, mailDomains: [ownDomains.first] },
            second: { ...second.configuration, mailDomains: [ownDomains.second] },
          },
        },
      });
    });
    afterAll(() => domainServer.close());

    /** Signs in as `<subject>|<email>`. Returns the uid, or the status and code of the refusal. */
    const signInBy = async (provider: 'first' | 'second', identity: string, calledServer = server) => {
      const jar = new CookieJar();
      const startReply = await calledServer.call(startSignOn, { query: { provider } });
      jar.store(startReply.headers);
      const returnUrl = await (provider === 'first' ? first : second).signIn(startReply.body.address, identity);
      const query = {
        code: returnUrl.searchParams.get('code') ?? '',
        state: returnUrl.searchParams.get('state') ?? '',
      };
      const answer = await calledServer.call(exchangeCode, { query, headers: jar.headersFor(exchangeCode.path) });
      if (answer.status !== 200) return `${answer.status} ${answer.refusal.code}`;
      return (await calledServer.call(getMe, { token: answer.body.accessToken })).body.uid;
    };
    const readLastReason = async () => {
      const [row] = await server.database
        .of<AuthTables>('core')
        .selectFrom('audit_log')
        .select(['details', 'subject'])
        .where('action', '=', 'signIn.refused')
        .orderBy(sql`id`, 'desc')
        .limit(1)
        .execute();
      return (row?.details as unknown as { readonly reason?: string } | undefined)?.reason;
    };

    it('[SEC-07] matches accounts by issuer and subject, even if the email address changes', async () => {
      const { uid } = await server.addPerson({ username: 'eve@example.com' });
      await server.addPerson({ username: 'eve.married@example.com' });
      expect(await signInBy('first', 'subject-eve|eve@example.com')).toBe(uid);
      expect(await signInBy('first', 'subject-eve|eve.married@example.com')).toBe(uid);
      expect(await signInBy('first', 'subject-eve|unverified@example.com')).toBe(uid);
      expect(await signInBy('first', 'subject-eve|')).toBe(uid);
    });

    it('[SEC-07] never matches an account of another provider by the same email address or subject', async () => {
      const { uid } = await server.addPerson({ username: 'boss@example.com' });
      expect(await signInBy('first', 'subject-boss|boss@example.com')).toBe(uid);
      expect(await signInBy('second', 'other|boss@example.com')).toBe('403 E003');
      expect(await readLastReason()).toBe('accountLinkedToAnotherIdentity');
      expect(await signInBy('second', 'subject-boss|nobody@example.com')).toBe('403 E003');
      expect(await signInBy('first', 'subject-boss|boss@example.com')).toBe(uid);
    });

    it('[SEC-07] refuses a person whose email address belonged to another person before', async () => {
      const { uid } = await server.addPerson({ username: 'jsmith@example.com' });
      expect(await signInBy('first', 'john|jsmith@example.com')).toBe(uid);
      expect(await signInBy('first', 'jane|jsmith@example.com')).toBe('403 E003');
    });

    it('[SEC-07] links without verification only for the provider’s own domain', async () => {
      const { uid } = await server.addPerson({ username: `unverified.new@${ownDomains.first}` });
      expect(await signInBy('second', `x|unverified.new@${ownDomains.first}`, domainServer)).toBe('403 E003');
      await server.addPerson({ username: `verified.new@${ownDomains.first}` });
      expect(await signInBy('second', `y|verified.new@${ownDomains.first}`, domainServer)).toBe('403 E003');
      expect(await readLastReason()).toBe('mailDomainOfAnotherProvider');
      expect(await signInBy('first', `z|unverified.new@${ownDomains.first}`, domainServer)).toBe(uid);
    });

    it('[SEC-07] links an account once for two concurrent first sign-ins', async () => {
      const { uid } = await server.addPerson({ username: 'twice@example.com' });
      expect(
        new Set(
          await Promise.all([signInBy('first', 'tw|twice@example.com'), signInBy('first', 'tw|twice@example.com')]),
        ),
      ).toEqual(new Set([uid]));
      const rival = await server.addPerson({ username: 'rival@example.com' });
      const outcomes = await Promise.all([
        signInBy('first', 'r1|rival@example.com'),
        signInBy('second', 'r2|rival@example.com'),
      ]);
      expect(outcomes.toSorted()).toEqual(['403 E003', rival.uid].toSorted());
    });

    it('[SEC-01] [SEC-07] audits links, sign-ins and refusals', async () => {
      const { uid } = await server.addPerson({ username: 'audited@example.com' });
      await signInBy('first', 'au|audited@example.com');
      const rows = await server.database
        .of<AuthTables>('core')
        .selectFrom('audit_log')
        .select(['action', 'details'])
        .where('subject', '=', uid)
        .orderBy(sql`id`)
        .execute();
      expect(rows.map(({ action }) => action)).toEqual(['account.identityLinked', 'signIn.succeeded']);
      expect(rows[1]?.details).toMatchObject({ method: 'first', issuer: first.configuration.issuer });
      expect(await signInBy('first', 'nobody|stranger@example.com')).toBe('403 E003');
      expect(await readLastReason()).toBe('accountUnknown');
      expect(await signInBy('first', 'u|unverified@example.com')).toBe('403 E003');
      expect((await server.call(exchangeCode, { query: { code: 'made-up' } })).status).toBe(401);
      expect(await readLastReason()).toBe('signOnNotStarted');
    });
  });

  it('[SES-05] reports an inactive account', async () => {
    const person = await server.addPerson({ username: 'former@example.com' });
    await server.service(Accounts).deactivate(person.uid);
    const { jar, query } = await signInAtProvider('former@example.com');
    const { status, refusal } = await exchange(query, jar);
    expect([status, refusal.message]).toEqual([401, 'E006: Inactive User']);
  });

  describe('refused requests (401)', () => {
    const expectRefusal = async (query: { readonly code: string }, jar: CookieJar) => {
      const { status, refusal, headers } = await exchange(query, jar);
      expect([status, refusal.code]).toEqual([401, 'E001']);
      expect(jar.get('__Host-signOn')).toBeUndefined();
      expect(JSON.stringify(headers['set-cookie'] ?? '')).not.toContain('refreshToken');
    };

    it('refuses a code for which no sign-in was started', async () => {
      const { query } = await signInAtProvider('ann@example.com');
      await expectRefusal(query, new CookieJar());
    });

    it('refuses a replayed code, even with the cookie of its start', async () => {
      const { jar, query } = await signInAtProvider('ann@example.com');
      const savedHeaders = jar.headersFor(exchangeCode.path);
      expect((await exchange(query, jar)).status).toBe(200);
      await expectRefusal(query, jar);
      expect((await server.call(exchangeCode, { query, headers: savedHeaders })).status).toBe(401);
    });

    it('refuses a modified cookie', async () => {
      const { jar, query } = await signInAtProvider('ann@example.com');
      const { cookie = '' } = jar.headersFor(exchangeCode.path);
      const [, payload = ''] = cookie.split('.');
      const modifiedCookie = cookie.replace(
        payload,
        Buffer.from(
          JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), provider: 'second' }),
        ).toString('base64url'),
      );
      expect((await server.call(exchangeCode, { query, headers: { cookie: modifiedCookie } })).status).toBe(401);
    });

    it("refuses a code of somebody else's sign-in", async () => {
      const attacker = await signInAtProvider('mallory@example.com');
      const victim = await signInAtProvider('ann@example.com');
      await expectRefusal({ code: attacker.query.code }, victim.jar);
    });

    it('refuses a state that differs from that of the started sign-in', async () => {
      const { jar, query } = await signInAtProvider('ann@example.com');
      const { status } = await exchange({ ...query, state: 'false' }, jar);
      expect(status).toBe(401);
    });
  });

  it('writes no code into the log', async () => {
    await server.addPerson({ username: 'quiet@example.com' });
    lines.length = 0;
    const { jar, query } = await signInAtProvider('quiet@example.com');
    await exchange(query, jar);
    await exchange(query, jar);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain(query.code);
  });
});

describe('single sign-on while the provider is down', () => {
  it('[API-03] answers 503 E010 at the start and at the return', async () => {
    const stoppedProvider = await startIdentityProvider(registeredUrl);
    const server = await startTestServer({
      config: { publicUrl, signOn: { first: stoppedProvider.configuration } },
    });
    const jar = new CookieJar();
    const startReply = await server.call(startSignOn, { query: { provider: 'first' } });
    jar.store(startReply.headers);
    const returnUrl = await stoppedProvider.signIn(startReply.body.address, 'ann@example.com');
    await stoppedProvider.stop();
    const answers = [
      await server.call(exchangeCode, {
        query: { code: returnUrl.searchParams.get('code') ?? '' },
        headers: jar.headersFor(exchangeCode.path),
      }),
      await server.call(startSignOn, { query: { provider: 'first' } }),
      await server.call(startSignOn, { query: { provider: 'second' } }),
    ];
    for (const { status, refusal } of answers) expect([status, refusal.code]).toEqual([503, 'E010']);
    await server.close();
  });
});
