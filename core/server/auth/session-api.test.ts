import { CompactSign, decodeProtectedHeader, exportJWK, generateSecret } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cookieLifetimeSeconds, cookieNames, tokenTransportHeader } from '#core';
import { getMe, inviteUser, logout, renewToken } from '#core/api';
import { readMails } from '../../testing/auth-server.ts';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import {
  describeOnDatabases,
  startTestServer,
  createTestCalls,
  type TestPerson,
  type TestServer,
  login,
} from '../../testing/server.ts';
import { Secret } from '../kernel/secret.ts';
import { Accounts } from './accounts.ts';
import type { AuthTables } from './auth-tables.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const tokenInCookie = { [tokenTransportHeader]: 'cookie' };

describeOnDatabases('sessions', (kind) => {
  const clock = createTestClock();
  let server: TestServer;
  let ann: TestPerson;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock, config: { publicUrl: 'https://tours.example' } });
    ann = await server.addPerson({ username: 'Ann@Example.com', flags: ['vrAccess'] });
  });
  afterAll(() => server.close());

  const signIn = async (person: Pick<TestPerson, 'username' | 'password'> = ann) => {
    const answer = await server.call(login, { body: { username: person.username, password: person.password } });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const renew = (refreshToken: string, username = ann.username) =>
    server.call(renewToken, { query: {}, body: { username, refreshToken } });
  const callMe = (token: string) => server.call(getMe, { token });

  describe('login', () => {
    it('[SES-16] [API-01] refuses a wrong password and an unknown account with the same message', async () => {
      const wrongReply = await server.call(login, { body: { username: ann.username, password: 'wrong' } });
      const unknownReply = await server.call(login, { body: { username: 'nobody@example.com', password: 'wrong' } });
      for (const { status, refusal } of [wrongReply, unknownReply]) {
        expect(status).toBe(401);
        expect(refusal).toMatchObject({ code: 'E001', message: 'Invalid credentials. Please check again' });
      }
    });

    it('[SES-05] reports an inactive account only to a person with the right password', async () => {
      const eve = await server.addPerson();
      await server.service(Accounts).deactivate(eve.uid);
      const rightReply = await server.call(login, { body: { username: eve.username, password: eve.password } });
      expect(rightReply.status).toBe(401);
      expect(rightReply.refusal).toMatchObject({ code: 'E006', message: 'E006: Inactive User' });
      const wrongReply = await server.call(login, { body: { username: eve.username, password: 'wrong' } });
      expect(wrongReply.refusal.code).toBe('E001');
    });

    it('[ACC-05] refuses non-admins at the admin login with the message of a wrong password', async () => {
      const admin = await server.addPerson({ userType: 'TENANT_ADMIN' });
      const adminReply = await server.call(login, {
        body: { username: admin.username, password: admin.password, admin: true },
      });
      expect(adminReply.body.isAdmin).toBe(true);
      const refusedReply = await server.call(login, {
        body: { username: ann.username, password: ann.password, admin: true },
      });
      expect([refusedReply.status, refusedReply.refusal.message]).toEqual([
        401,
        'Invalid credentials. Please check again',
      ]);
    });

    it('[API-01] accepts an email address whose internationalised domain is spelled as browsers send it (punycode)', async () => {
      const chef = await server.addPerson({ username: 'chef@ørsnes.example' });
      const answer = await server.call(login, {
        body: { username: 'chef@xn--rsnes-uua.example', password: chef.password },
      });
      expect([answer.status, answer.body.username]).toEqual([200, 'chef@ørsnes.example']);
    });

    it("[API-01] [API-10] answers 200 with the tokens, regardless of the username's case", async () => {
      const answer = await server.call(login, { body: { username: 'ANN@example.COM', password: ann.password } });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        username: 'ann@example.com',
        isAdmin: false,
        expiresIn: expect.any(Number),
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it('[SES-12] sets the refresh token in an HttpOnly cookie on request, and the username in a readable one', async () => {
      const jar = new CookieJar();
      const answer = await server.call(login, {
        body: { username: ann.username, password: ann.password },
        headers: tokenInCookie,
      });
      jar.store(answer.headers);
      expect(answer.body.refreshToken).toBe('cookie');
      const maxAge = String(cookieLifetimeSeconds);
      const sharedAttributes = { secure: true, samesite: 'Strict', 'max-age': maxAge };
      for (const name of ['__Host-refreshToken', '__Host-fileTicket']) {
        expect(jar.get(name)?.attributes).toMatchObject({ ...sharedAttributes, path: '/', httponly: true });
        expect(jar.get(name)?.attributes).not.toHaveProperty('domain');
      }
      expect(jar.get('isAdmin')).toMatchObject({ value: 'false', attributes: { ...sharedAttributes, path: '/' } });
      expect(jar.get('username')).toMatchObject({
        value: encodeURIComponent('ann@example.com'),
        attributes: { ...sharedAttributes, path: '/' },
      });
      for (const name of ['isAdmin', 'username']) expect(jar.get(name)?.attributes).not.toHaveProperty('httponly');
    });
  });

  describe('access token', () => {
    it('[SES-01] is required, as a bearer token', async () => {
      const anonymousReply = await server.call(getMe, {});
      expect([anonymousReply.status, anonymousReply.refusal.code]).toEqual([401, 'E005']);
      const { accessToken } = await signIn();
      expect((await server.call(getMe, { headers: { authorization: `Basic ${accessToken}` } })).status).toBe(401);
      expect((await callMe(accessToken)).status).toBe(200);
    });

    it('[SES-02] is refused with E005 after it expires', async () => {
      const { accessToken, expiresIn } = await signIn();
      clock.advance(expiresIn * 1000 - 1000);
      expect((await callMe(accessToken)).status).toBe(200);
      clock.advance(1000);
      const expiredReply = await callMe(accessToken);
      expect([expiredReply.status, expiredReply.refusal.code]).toEqual([401, 'E005']);
    });

    it('is refused with E005 if forged, unsigned, malformed or of another kind', async () => {
      const { accessToken, refreshToken } = await signIn();
      const [header = '', payload = '', signature = ''] = accessToken.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const unsignedToken = `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`;
      const invalidTokens = [
        `${header}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
        `${encode({ alg: 'HS256', typ: 'at+jwt', kid: 'unknown' })}.${payload}.${signature}`,
        accessToken.slice(0, -2),
        unsignedToken,
        refreshToken,
        'x',
        '',
      ];
      for (const token of invalidTokens) {
        const { status, refusal } = await callMe(token);
        expect([status, refusal.code]).toEqual([401, 'E005']);
      }
    });

    it('is not verified with a key that it contains or names', async () => {
      const { accessToken } = await signIn();
      const [, payload = ''] = accessToken.split('.');
      const { kid } = decodeProtectedHeader(accessToken);
      const attackersKey = await generateSecret('HS256', { extractable: true });
      const jwk = await exportJWK(attackersKey);
      for (const header of [
        {},
        { jwk },
        { jku: 'http://127.0.0.1:1/jwks' },
        { x5u: 'http://127.0.0.1:1/x' },
        { x5c: ['AA'] },
      ]) {
        const forgedToken = await new CompactSign(Buffer.from(payload, 'base64url'))
          .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...(kid === undefined ? {} : { kid }), ...header })
          .sign(attackersKey);
        expect([header, (await callMe(forgedToken)).status]).toEqual([header, 401]);
      }
    });
  });

  describe('renewal', () => {
    it('[API-02] refuses an unknown token with E005', async () => {
      const { status, refusal } = await renew('unknown');
      expect([status, refusal.code]).toEqual([401, 'E005']);
    });

    it('refuses a token of another person and does not use it up', async () => {
      const ben = await server.addPerson();
      const { refreshToken } = await signIn();
      expect((await renew(refreshToken, ben.username)).status).toBe(401);
      expect((await renew(refreshToken)).status).toBe(200);
    });

    it('renews a session for a client that sends no username', async () => {
      const { refreshToken } = await signIn();
      const { status, body } = await renew(refreshToken, '');
      expect([status, body.username]).toEqual([200, 'ann@example.com']);
    });

    it('[API-02] [SES-13] returns a new pair of tokens, and ends the session if the old token is used again', async () => {
      const firstSession = await signIn();
      const secondReply = await renew(firstSession.refreshToken);
      expect(secondReply.status).toBe(200);
      expect(secondReply.body.refreshToken).not.toBe(firstSession.refreshToken);
      expect((await callMe(secondReply.body.accessToken)).status).toBe(200);
      clock.advance(10_001);
      const reusedReply = await renew(firstSession.refreshToken);
      expect([reusedReply.status, reusedReply.refusal.code]).toEqual([401, 'E005']);
      expect((await renew(secondReply.body.refreshToken)).status).toBe(401);
      expect((await callMe(secondReply.body.accessToken)).status).toBe(401);
    });

    it('returns the same successor twice within the grace period if the successor is unused', async () => {
      const { refreshToken } = await signIn();
      const lostReply = await renew(refreshToken);
      clock.advance(9000);
      const retriedReply = await renew(refreshToken);
      expect(retriedReply.status).toBe(200);
      expect(retriedReply.body.refreshToken).toBe(lostReply.body.refreshToken);
      expect((await renew(retriedReply.body.refreshToken)).status).toBe(200);
    });

    it('ends the session if a used token is sent again within the grace period after its successor was used', async () => {
      const { refreshToken } = await signIn();
      const secondReply = await renew(refreshToken);
      const thirdReply = await renew(secondReply.body.refreshToken);
      expect((await renew(refreshToken)).status).toBe(401);
      expect((await renew(thirdReply.body.refreshToken)).status).toBe(401);
      expect((await callMe(thirdReply.body.accessToken)).status).toBe(401);
    });

    it('keeps the other sessions of the person', async () => {
      const otherSession = await signIn();
      const firstSession = await signIn();
      const secondReply = await renew(firstSession.refreshToken);
      await renew(secondReply.body.refreshToken);
      expect((await renew(firstSession.refreshToken)).status).toBe(401);
      expect((await callMe(otherSession.accessToken)).status).toBe(200);
    });

    it('[SES-12] renews by cookie and never returns the token in the body', async () => {
      const jar = new CookieJar();
      const headers = () => ({ ...tokenInCookie, ...jar.headersFor(renewToken.path) });
      jar.store(
        (await server.call(login, { body: { username: ann.username, password: ann.password }, headers: headers() }))
          .headers,
      );
      const oldToken = jar.get('__Host-refreshToken')?.value;
      const renewedReply = await server.call(renewToken, {
        query: { isAdmin: false },
        body: { username: ann.username, isAdmin: false, refreshToken: 'cookie' },
        headers: headers(),
      });
      jar.store(renewedReply.headers);
      expect(renewedReply.status).toBe(200);
      expect(renewedReply.body.refreshToken).toBe('cookie');
      expect(jar.get('__Host-refreshToken')?.value).not.toBe(oldToken);
      expect(JSON.stringify(renewedReply.body)).not.toContain(jar.get('__Host-refreshToken')?.value);
    });

    it('[SES-12] ignores a cookie without the prefix __Host- over https', async () => {
      const { refreshToken } = await signIn();
      const renewByCookie = (cookie: string) =>
        server.call(renewToken, {
          query: {},
          body: { username: ann.username, refreshToken: 'cookie' },
          headers: { cookie },
        });
      expect((await renewByCookie(`refreshToken=${refreshToken}`)).status).toBe(401);
      expect((await renewByCookie(`__Host-refreshToken=${refreshToken}`)).status).toBe(200);
    });

    it('never trusts identity claims of the client', async () => {
      const { refreshToken } = await signIn();
      const { body } = await server.call(renewToken, {
        query: { isAdmin: true },
        body: { username: ann.username, isAdmin: true, refreshToken },
      });
      expect(body.isAdmin).toBe(false);
      expect((await callMe(body.accessToken)).body.isAdmin).toBe(false);
    });

    it('ends a session after its idle time, and at the latest at its absolute end', async () => {
      const idleSession = await signIn();
      clock.advance(30 * dayMs);
      expect((await renew(idleSession.refreshToken)).status).toBe(401);

      let { refreshToken } = await signIn();
      for (let passedDays = 0; passedDays < 350; passedDays += 25) {
        clock.advance(25 * dayMs);
        const renewedReply = await renew(refreshToken);
        expect(renewedReply.status).toBe(200);
        ({ refreshToken } = renewedReply.body);
      }
      clock.advance(15 * dayMs - minuteMs);
      const lastReply = await renew(refreshToken);
      expect(lastReply.status).toBe(200);
      clock.advance(minuteMs);
      expect((await callMe(lastReply.body.accessToken)).status).toBe(401);
      expect((await renew(lastReply.body.refreshToken)).status).toBe(401);
    });
  });

  describe('the client of a session', () => {
    const readSession = async (uid: string) =>
      server.database
        .of<AuthTables>('core')
        .selectFrom('session')
        .select(['device', 'address', 'last_used_at', 'created_at'])
        .where('account', '=', uid)
        .executeTakeFirstOrThrow();
    const callsFrom = (address: string) => createTestCalls(server.app, { address });
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' };

    it('records device, IP address and last use at login and renewal, but not at other calls', async () => {
      const { uid, username, password } = await server.addPerson();
      const loginReply = await callsFrom('192.0.2.1').call(login, { body: { username, password }, headers: firefox });
      const atLogin = await readSession(uid);
      expect(atLogin).toMatchObject({ device: 'Firefox (Linux)', address: '192.0.2.1' });
      expect(atLogin.last_used_at).toEqual(atLogin.created_at);
      clock.advance(minuteMs);
      await callsFrom('192.0.2.2').call(getMe, { token: loginReply.body.accessToken });
      expect(await readSession(uid)).toEqual(atLogin);
      const { refreshToken } = loginReply.body;
      await callsFrom('192.0.2.2').call(renewToken, { query: {}, body: { username, refreshToken }, headers: firefox });
      const sessionAfterRenewal = await readSession(uid);
      expect(sessionAfterRenewal).toMatchObject({ device: 'Firefox (Linux)', address: '192.0.2.2' });
      expect(sessionAfterRenewal.last_used_at.getTime() - atLogin.last_used_at.getTime()).toBeGreaterThanOrEqual(
        minuteMs,
      );
    });
  });

  describe('logout', () => {
    it('[SES-17] ends the session in all tabs by cookie, and clears the cookies', async () => {
      const jar = new CookieJar();
      const answer = await server.call(login, {
        body: { username: ann.username, password: ann.password },
        headers: tokenInCookie,
      });
      jar.store(answer.headers);
      const logoutReply = await server.call(logout, { body: {}, headers: jar.headersFor(logout.path) });
      expect(logoutReply.headers['clear-site-data']).toBe('"cache"');
      expect(logoutReply.status).toBe(200);
      jar.store(logoutReply.headers);
      for (const name of Object.values(cookieNames)) {
        expect(jar.get(name)).toBeUndefined();
        expect(jar.get(`__Host-${name}`)).toBeUndefined();
      }
      expect((await callMe(answer.body.accessToken)).status).toBe(401);
    });

    it('ends the session by a refresh token in the body, even by a used one', async () => {
      const firstSession = await signIn();
      const secondReply = await renew(firstSession.refreshToken);
      clock.advance(minuteMs);
      expect((await server.call(logout, { body: { refreshToken: firstSession.refreshToken } })).status).toBe(200);
      expect((await renew(secondReply.body.refreshToken)).status).toBe(401);
    });

    it('ends the session by the access token alone', async () => {
      const { accessToken, refreshToken } = await signIn();
      await server.call(logout, { token: accessToken, body: {} });
      expect((await renew(refreshToken)).status).toBe(401);
    });

    it('answers 200 without a session', async () => {
      expect((await server.call(logout, { body: { refreshToken: 'unknown' } })).status).toBe(200);
      expect((await server.call(logout, { body: {} })).status).toBe(200);
    });
  });

  describe('deactivation', () => {
    it('[SES-05] refuses calls, renewals and logins with "E006: Inactive User", and never reopens the sessions', async () => {
      const accounts = server.service(Accounts);
      const eve = await server.addPerson();
      const { accessToken, refreshToken } = await signIn(eve);
      expect((await callMe(accessToken)).status).toBe(200);
      await accounts.deactivate(eve.uid);
      for (const { status, refusal } of [
        await callMe(accessToken),
        await renew(refreshToken, eve.username),
        await server.call(login, { body: { username: eve.username, password: eve.password } }),
      ]) {
        expect(status).toBe(401);
        expect(refusal).toMatchObject({ code: 'E006', message: 'E006: Inactive User' });
      }
      await accounts.reactivate(eve.uid);
      expect((await callMe(accessToken)).refusal.code).toBe('E005');
      expect((await renew(refreshToken, eve.username)).refusal.code).toBe('E005');
      expect((await signIn(eve)).accessToken).not.toBe('');
    });
  });
});

describeOnDatabases('login in a product with single sign-on', (database) => {
  it('[PRO-02] [SES-16] allows only admins to sign in by password, and invites others to their company account', async () => {
    const signOn = { issuer: 'https://id.example', clientId: 'tours', clientSecret: new Secret('secret') };
    const server = await startTestServer({
      database,
      product: {
        login: {
          type: 'AD',
          providers: [
            { id: 'first', label: 'Contoso' },
            { id: 'second', label: 'Fabrikam' },
          ],
        },
      },
      config: { signOn: { first: { ...signOn, mailDomains: ['contoso.example'] } } },
    });
    onTestFinished(() => server.close());
    const person = await server.addPerson();
    const admin = await server.addPerson({ userType: 'TENANT_ADMIN' });
    const answers = await Promise.all(
      [person, admin].map(({ username, password }) => server.call(login, { body: { username, password } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
    expect(answers[0]?.refusal.message).toBe('Invalid credentials. Please check again');
    const token = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement'] });
    for (const [username, userType] of [
      ['eve@contoso.example', 'TENANT_USER'],
      ['eve@elsewhere.example', 'TENANT_USER'],
      ['boss@contoso.example', 'TENANT_ADMIN'],
      ['boss@elsewhere.example', 'TENANT_ADMIN'],
    ] as const)
      await server.call(inviteUser, { token, body: { username, name: 'New', userType, roles: [] } });
    const signOnPage = expect.stringMatching(/\/dashboard\/login$/);
    // The mails are sent by jobs, in any order.
    const contents = Object.fromEntries((await readMails(server)).map(({ to, content }) => [to, content]));
    expect(contents).toEqual({
      'eve@contoso.example': { kind: 'invitationSignOn', name: 'New', address: signOnPage, provider: 'Contoso' },
      'eve@elsewhere.example': {
        kind: 'invitationSignOn',
        name: 'New',
        address: signOnPage,
        provider: 'Contoso / Fabrikam',
      },
      'boss@contoso.example': { kind: 'invitationSignOn', name: 'New', address: signOnPage, provider: 'Contoso' },
      'boss@elsewhere.example': {
        kind: 'invitation',
        name: 'New',
        address: expect.stringMatching(/\/login\/register\?username=boss%40elsewhere\.example$/),
        days: 7,
      },
    });
  });
});
