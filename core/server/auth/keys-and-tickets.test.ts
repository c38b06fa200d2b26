import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tokenTransportHeader } from '#core';
import { getMe, login, logout, renewToken } from '#core/api';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { describeOnDatabases, makeTestDatabase, startTestServer, type TestServer } from '../../testing/server.ts';
import { Authenticator } from '../kernel/authenticator.ts';
import { Secret } from '../kernel/secret.ts';
import { AccessTokens } from './access-tokens.ts';
import { FileTickets } from './file-tickets.ts';
import { KeyRing } from './key-ring.ts';

describeOnDatabases('signing keys', (kind) => {
  const clock = movableClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock });
  });
  afterAll(() => server.close());

  const ring = () => new KeyRing(server.server.database, clock, undefined);
  const claims = { account: 'a', session: 's' };

  it('are one for all processes, also when several begin at once', async () => {
    const rings = Array.from({ length: 5 }, ring);
    const keys = await Promise.all(rings.map((each) => each.current()));
    expect(new Set(keys.map(({ id }) => id))).toEqual(new Set(['d-1']));
    expect(new Set(keys.map((key) => key.for('access').toString('hex'))).size).toBe(1);
  });

  it('differ for each use', async () => {
    const key = await ring().current();
    expect(new Set((['access', 'refresh', 'file', 'code', 'signOn'] as const).map((purpose) => key.for(purpose).toString('hex'))).size).toBe(5);
  });

  it('can be rotated: what the key before signed is good until it is rotated again, in all processes', async () => {
    const one = ring();
    const two = ring();
    const [issue, verify] = [new AccessTokens(one, clock, 3_600_000), new AccessTokens(two, clock, 3_600_000)];
    const old = await issue.issue(claims);
    expect(await verify.verify(old)).toMatchObject(claims);
    await one.rotate();
    const renewed = await issue.issue(claims);
    clock.pass(1001);
    expect(await verify.verify(renewed)).toMatchObject(claims);
    expect(await new AccessTokens(ring(), clock, 1000).verify(old)).toMatchObject(claims);
    await one.rotate();
    await expect(new AccessTokens(ring(), clock, 1000).verify(old)).rejects.toMatchObject({ status: 401 });
  });

  it('rotated while an answer is lost: the renewal that comes again gets a new successor, and only that one is good', async () => {
    const { username, password } = await server.addPerson();
    const signedIn = await server.call(login, { body: { username, password } });
    expect(signedIn.status).toBe(200);
    const { refreshToken } = signedIn.body;
    const renew = (token: string) => server.call(renewToken, { query: {}, body: { username, refreshToken: token } });
    const lost = (await renew(refreshToken)).body.refreshToken;
    await ring().rotate();
    await ring().rotate();
    clock.pass(1001);
    // The server meets the new key by a token that another process signed.
    await server.call(getMe, { token: await new AccessTokens(ring(), clock, 1000).issue(claims) });
    const again = await renew(refreshToken);
    expect(again.status).toBe(200);
    expect(again.body.refreshToken).not.toBe(lost);
    expect((await renew(lost)).status).toBe(401);
    expect((await renew(again.body.refreshToken)).status).toBe(200);
  });

  it('ask the database for an unknown one once a second at most', async () => {
    const keys = ring();
    await keys.current();
    const asked = vi.spyOn(server.server.database.pool, 'connect');
    clock.pass(1001);
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await keys.find(`forged-${attempt}`)).toBeUndefined();
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });
});

describeOnDatabases('the key of the environment', (kind) => {
  it('signs for every server that has it, and for none that has another', async () => {
    const database = await makeTestDatabase(kind);
    const open = async (secret: string) => startTestServer({ database, config: { tokenSecret: new Secret(secret.repeat(40)) } });
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
    const signedIn = await server.call(login, { body: { username: person.username, password: person.password }, headers: { [tokenTransportHeader]: 'cookie' } });
    jar.take(signedIn.headers);
    const fileTicket = jar.get('fileTicket')?.value;
    expect(jar.headersFor('/api/files/x')).toEqual({ cookie: expect.stringContaining('fileTicket=') });
    expect(jar.headersFor('/api/me')['cookie'] ?? '').not.toContain('fileTicket');
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
