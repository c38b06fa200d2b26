import { afterAll, beforeAll, expect, it } from 'vitest';
import { tokenTransportHeader } from '#core';
import { getMe, login, logout } from '#core/api';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { movableClock } from '../../testing/movable-clock.ts';
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
  const clock = movableClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock });
  });
  afterAll(() => server.close());

  const ring = () => new KeyRing(server.server.database, clock, undefined);

  it('are one for all processes, also when several begin at once', async () => {
    const rings = Array.from({ length: 5 }, ring);
    const keys = await Promise.all(rings.map((each) => each.current()));
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(['d-1']));
    expect(new Set(keys.map((key) => key.for('access').toString('hex'))).size).toBe(1);
  });

  it('differ for each use', async () => {
    const key = await ring().current();
    expect(
      new Set(
        (['access', 'refresh', 'file', 'code', 'signOn'] as const).map((purpose) => key.for(purpose).toString('hex')),
      ).size,
    ).toBe(5);
  });

  it('verify nothing that another one signed', async () => {
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

  it(
    'changed while an answer is lost: the renewal that comes again gets a new successor, and only that one ' +
      'is good',
    async () => {
      const { database, board } = server.server;
      const person = await server.addPerson();
      const sessionsWith = (secret: string | undefined) =>
        new Sessions({
          database,
          clock,
          changes: board.services.find(AccessChanges, 'test'),
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
    },
  );
});

describeOnDatabases('the key of the environment', (kind) => {
  it('signs for every server that has it, and for none that has another', async () => {
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
    authenticator = server.server.board.services.find(Authenticator, 'test');
  });
  afterAll(() => server.close());

  it('[SES-12] opens what its session may open, until the session ends', async () => {
    const person = await server.addPerson();
    const jar = new CookieJar();
    const signedIn = await server.call(login, {
      body: { username: person.username, password: person.password },
      headers: { [tokenTransportHeader]: 'cookie' },
    });
    jar.take(signedIn.headers);
    const fileTicket = jar.get('fileTicket')?.value;
    expect(jar.headersFor('/api/files/x')).toEqual({ cookie: expect.stringContaining('fileTicket=') });
    expect(jar.headersFor('/auth/pub/user/login')['cookie'] ?? '').not.toContain('fileTicket');
    expect((await authenticator.authenticate(undefined, { fileTicket })).uid).toBe(person.uid);
    await server.call(logout, { body: {}, headers: jar.headersFor(logout.path) });
    await expect(authenticator.authenticate(undefined, { fileTicket })).rejects.toMatchObject({ status: 401 });
  });

  it('is refused where it was made up, and where a bad token comes with it', async () => {
    const person = await server.addPerson();
    const tickets = new FileTickets(new KeyRing(server.server.database, movableClock(), undefined));
    const ticket = await tickets.issue('no such session');
    for (const fileTicket of [ticket, 'x', '.', 'a.b', `${person.uid}.${ticket.split('.')[1] ?? ''}`, '']) {
      await expect(authenticator.authenticate(undefined, { fileTicket })).rejects.toMatchObject({ status: 401 });
    }
    await expect(authenticator.authenticate(undefined, {})).rejects.toMatchObject({ status: 401 });
    await expect(authenticator.authenticate('bad', { fileTicket: ticket })).rejects.toMatchObject({ status: 401 });
  });
});
