import { afterAll, beforeAll, expect, it } from 'vitest';
import { tokenTransportHeader } from '#core';
import { getMe, logout } from '#core/api';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import {
  describeOnDatabases,
  createTestDatabase,
  startTestServer,
  type TestServer,
  login,
} from '../../testing/server.ts';
import { AccessChanges } from '../access/access-changes.ts';
import { Authenticator } from '../kernel/authenticator.ts';
import { Secret } from '../kernel/secret.ts';
import { AccessTokens } from './access-tokens.ts';
import { FileTickets } from './file-tickets.ts';
import { KeyRing } from './key-ring.ts';
import { Sessions } from './sessions.ts';

const client = { device: 'Test', address: '192.0.2.1' };

describeOnDatabases('signing keys', (kind) => {
  const clock = createTestClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock });
  });
  afterAll(() => server.close());

  const createKeyRing = () => new KeyRing(server.database, clock, undefined);

  it('creates one key if several processes start at once', async () => {
    const rings = Array.from({ length: 5 }, createKeyRing);
    const keys = await Promise.all(rings.map((ring) => ring.getCurrent()));
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(['d-1']));
    expect(new Set(keys.map((key) => key.deriveKey('access').toString('hex'))).size).toBe(1);
  });

  it('derives different keys for different purposes', async () => {
    const key = await createKeyRing().getCurrent();
    expect(
      new Set(
        (['access', 'refresh', 'file', 'code', 'signOn'] as const).map((purpose) =>
          key.deriveKey(purpose).toString('hex'),
        ),
      ).size,
    ).toBe(5);
  });

  it('refuses a token that another key signed', async () => {
    const createTokens = (keys: KeyRing) => new AccessTokens(keys, clock, 3_600_000);
    const token = await createTokens(new KeyRing(server.database, clock, new Secret('x'.repeat(40)))).issue({
      account: 'a',
      session: 's',
    });
    await expect(createTokens(createKeyRing()).verify(token)).rejects.toMatchObject({ status: 401 });
    expect(
      await createTokens(createKeyRing()).verify(
        await createTokens(createKeyRing()).issue({ account: 'a', session: 's' }),
      ),
    ).toMatchObject({
      account: 'a',
      session: 's',
    });
  });

  it('returns a new refresh token if the key was rotated before a renewal is retried, and refuses the lost one', async () => {
    const { database, registrar } = server.server;
    const person = await server.addPerson();
    const createSessions = (secret: string | undefined) =>
      new Sessions({
        database,
        clock,
        changes: registrar.services.find(AccessChanges, 'test'),
        keys: new KeyRing(database, clock, secret === undefined ? undefined : new Secret(secret.repeat(40))),
        limits: { idleLifetimeMs: 3_600_000, absoluteLifetimeMs: 3_600_000, refreshGraceMs: 10_000 },
      });
    const [oldSessions, newSessions] = [createSessions(undefined), createSessions('y')];
    const { refreshToken } = await oldSessions.open(person.uid, null, client);
    const lostToken = (await oldSessions.renew(refreshToken, '', client)).refreshToken;
    const retriedToken = (await newSessions.renew(refreshToken, '', client)).refreshToken;
    expect(retriedToken).not.toBe(lostToken);
    await expect(newSessions.renew(lostToken, '', client)).rejects.toMatchObject({ clientError: { status: 401 } });
    expect((await newSessions.renew(retriedToken, '', client)).refreshToken).toEqual(expect.any(String));
  });
});

describeOnDatabases('a signing key from the environment', (kind) => {
  it('verifies signatures of servers with the same key only', async () => {
    const database = await createTestDatabase(kind);
    const openServer = async (secret: string) =>
      startTestServer({ database, config: { tokenSecret: new Secret(secret.repeat(40)) } });
    const firstServer = await openServer('a');
    const person = await firstServer.addPerson();
    const token = await firstServer.signIn(person);
    await firstServer.close();
    const sameKeyServer = await openServer('a');
    expect((await sameKeyServer.call(getMe, { token })).status).toBe(200);
    await sameKeyServer.close();
    const otherKeyServer = await openServer('b');
    expect((await otherKeyServer.call(getMe, { token })).status).toBe(401);
    await otherKeyServer.close();
    await database.remove();
  });
});

describeOnDatabases('the file ticket', (kind) => {
  let server: TestServer;
  let authenticator: Authenticator;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    authenticator = server.service(Authenticator);
  });
  afterAll(() => server.close());

  it('[SES-12] authenticates the person until the session ends', async () => {
    const person = await server.addPerson();
    const jar = new CookieJar();
    const loginReply = await server.call(login, {
      body: { username: person.username, password: person.password },
      headers: { [tokenTransportHeader]: 'cookie' },
    });
    jar.store(loginReply.headers);
    const fileTicket = jar.get('fileTicket')?.value;
    expect(jar.headersFor('/api/files/x')).toEqual({ cookie: expect.stringContaining('fileTicket=') });
    expect(jar.headersFor('/auth/pub/user/login')['cookie'] ?? '').not.toContain('fileTicket');
    expect((await authenticator.authenticate(undefined, { fileTicket })).uid).toBe(person.uid);
    await server.call(logout, { body: {}, headers: jar.headersFor(logout.path) });
    await expect(authenticator.authenticate(undefined, { fileTicket })).rejects.toMatchObject({ status: 401 });
  });

  it('refuses a forged ticket, and an invalid token even with a valid ticket', async () => {
    const person = await server.addPerson();
    const tickets = new FileTickets(new KeyRing(server.database, createTestClock(), undefined));
    const ticket = await tickets.issue('no such session');
    for (const fileTicket of [ticket, 'x', '.', 'a.b', `${person.uid}.${ticket.split('.')[1] ?? ''}`, '']) {
      await expect(authenticator.authenticate(undefined, { fileTicket })).rejects.toMatchObject({ status: 401 });
    }
    await expect(authenticator.authenticate(undefined, {})).rejects.toMatchObject({ status: 401 });
    await expect(authenticator.authenticate('bad', { fileTicket: ticket })).rejects.toMatchObject({ status: 401 });
  });
});
