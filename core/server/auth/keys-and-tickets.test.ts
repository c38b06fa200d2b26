import { afterAll, beforeAll, expect, it } from 'vitest';
import { tokenTransportHeader } from '#core';
import { getMe, login, logout } from '#core/api';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { createMovableClock } from '../../testing/movable-clock.ts';
import { describeOnDatabases, createTestDatabase, startTestServer, type TestServer } from '../../testing/server.ts';
import { AccessChanges } from '../access/access-changes.ts';
import { Authenticator } from '../kernel/authenticator.ts';
import { Secret } from '../kernel/secret.ts';
import { AccessTokens } from './access-tokens.ts';
import { FileTickets } from './file-tickets.ts';
import { KeyRing } from './key-ring.ts';
import { Sessions } from './sessions.ts';

const client = { device: 'Test', address: '192.0.2.1' };

describeOnDatabases('signing keys', (kind) => {
  const clock = createMovableClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock });
  });
  afterAll(() => server.close());

  const ring = () => new KeyRing(server.server.database, clock, undefined);

  it('creates one key for all processes, also if several start at once', async () => {
    const rings = Array.from({ length: 5 }, ring);
    const keys = await Promise.all(rings.map((each) => each.current()));
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(['d-1']));
    expect(new Set(keys.map((key) => key.for('access').toString('hex'))).size).toBe(1);
  });

  it('derives different keys for different purposes', async () => {
    const key = await ring().current();
    expect(
      new Set(
        (['access', 'refresh', 'file', 'code', 'signOn'] as const).map((purpose) => key.for(purpose).toString('hex')),
      ).size,
    ).toBe(5);
  });

  it('does not verify what another key signed', async () => {
    const tokens = (keys: KeyRing) => new AccessTokens(keys, clock, 3_600_000);
    const token = await tokens(new KeyRing(server.server.database, clock, new Secret('x'.repeat(40)))).issue({
      account: 'a',
      session: 's',
    });
    await expect(tokens(ring()).verify(token)).rejects.toMatchObject({ status: 401 });
    expect(await tokens(ring()).verify(await tokens(ring()).issue({ account: 'a', session: 's' }))).toMatchObject({
      account: 'a',
      session: 's',
    });
  });

  it('gives one new successor if the key was rotated while a reply was lost, and only that one is valid', async () => {
    const { database, registrar } = server.server;
    const person = await server.addPerson();
    const sessionsWith = (secret: string | undefined) =>
      new Sessions({
        database,
        clock,
        changes: registrar.services.find(AccessChanges, 'test'),
        keys: new KeyRing(database, clock, secret === undefined ? undefined : new Secret(secret.repeat(40))),
        limits: { idleLifetime: 3_600_000, absoluteLifetime: 3_600_000, refreshGrace: 10_000 },
      });
    const [before, after] = [sessionsWith(undefined), sessionsWith('y')];
    const { refreshToken } = await before.open(person.uid, null, client);
    const lost = (await before.renew(refreshToken, '', client)).refreshToken;
    const again = (await after.renew(refreshToken, '', client)).refreshToken;
    expect(again).not.toBe(lost);
    await expect(after.renew(lost, '', client)).rejects.toMatchObject({ answer: { status: 401 } });
    expect((await after.renew(again, '', client)).refreshToken).toEqual(expect.any(String));
  });
});

describeOnDatabases('the key of the environment', (kind) => {
  it('verifies signatures of every server with the same key, and of no other', async () => {
    const database = await createTestDatabase(kind);
    const open = async (secret: string) =>
      startTestServer({ database, config: { tokenSecret: new Secret(secret.repeat(40)) } });
    const first = await open('a');
    const person = await first.addPerson();
    const token = await first.signIn(person);
    await first.close();
    const same = await open('a');
    expect((await same.call(getMe, { token })).status).toBe(200);
    await same.close();
    const other = await open('b');
    expect((await other.call(getMe, { token })).status).toBe(401);
    await other.close();
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

  it('[SES-12] opens what its session may open, until the session ends', async () => {
    const person = await server.addPerson();
    const jar = new CookieJar();
    const signedIn = await server.call(login, {
      body: { username: person.username, password: person.password },
      headers: { [tokenTransportHeader]: 'cookie' },
    });
    jar.store(signedIn.headers);
    const fileTicket = jar.get('fileTicket')?.value;
    expect(jar.headersFor('/api/files/x')).toEqual({ cookie: expect.stringContaining('fileTicket=') });
    expect(jar.headersFor('/auth/pub/user/login')['cookie'] ?? '').not.toContain('fileTicket');
    expect((await authenticator.authenticate(undefined, { fileTicket })).uid).toBe(person.uid);
    await server.call(logout, { body: {}, headers: jar.headersFor(logout.path) });
    await expect(authenticator.authenticate(undefined, { fileTicket })).rejects.toMatchObject({ status: 401 });
  });

  it('refuses a forged ticket, and a valid one that comes with an invalid token', async () => {
    const person = await server.addPerson();
    const tickets = new FileTickets(new KeyRing(server.server.database, createMovableClock(), undefined));
    const ticket = await tickets.issue('no such session');
    for (const fileTicket of [ticket, 'x', '.', 'a.b', `${person.uid}.${ticket.split('.')[1] ?? ''}`, '']) {
      await expect(authenticator.authenticate(undefined, { fileTicket })).rejects.toMatchObject({ status: 401 });
    }
    await expect(authenticator.authenticate(undefined, {})).rejects.toMatchObject({ status: 401 });
    await expect(authenticator.authenticate('bad', { fileTicket: ticket })).rejects.toMatchObject({ status: 401 });
  });
});
