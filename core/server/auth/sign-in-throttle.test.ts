import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestClock } from '../../testing/test-clock.ts';
import { describeOnDatabases, startTestServer, type TestServer, login } from '../../testing/server.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

const hourMs = 60 * 60_000;

describeOnDatabases('SignInThrottle', (kind) => {
  const clock = createTestClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock });
  });
  afterAll(() => server.close());

  const tryLogin = (username: string, password: string) => server.call(login, { body: { username, password } });

  it('delays password guesses increasingly after ten failures until a successful login', async () => {
    const { username, password } = await server.addPerson();
    for (let failure = 0; failure < 10; failure += 1) expect((await tryLogin(username, 'wrong')).status).toBe(401);
    const waitSeconds: number[] = [];
    for (let failure = 0; failure < 4; failure += 1) {
      const { status, refusal, headers } = await tryLogin(username, password);
      expect([status, refusal.code]).toEqual([429, 'E008']);
      waitSeconds.push(Number(headers['retry-after']));
      clock.advance(waitSeconds.at(-1)! * 1000);
      expect((await tryLogin(username, 'wrong')).status).toBe(401);
    }
    expect(waitSeconds).toEqual([1, 2, 4, 8]);
    clock.advance(16_000);
    expect((await tryLogin(username, password)).status).toBe(200);
    expect((await tryLogin(username, 'wrong')).status).toBe(401);
    expect((await tryLogin(username, password)).status).toBe(200);
  });

  it('delays attempts at a missing account in the same way', async () => {
    const statuses: number[] = [];
    for (let failure = 0; failure < 12; failure += 1)
      statuses.push((await tryLogin('nobody@example.com', 'wrong')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  it('allows concurrent attempts no more guesses than sequential ones', async () => {
    const { username } = await server.addPerson({ slowPassword: true });
    const answers = await Promise.all(Array.from({ length: 40 }, () => tryLogin(username, 'wrong')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('does not lock out the owner at another IP address', async () => {
    const throttle = new SignInThrottle(server.database, clock);
    for (let failure = 0; failure < 10; failure += 1)
      await throttle.countAttempt('login', 'owner@example.com', '192.0.2.1');
    await expect(throttle.countAttempt('login', 'owner@example.com', '192.0.2.1')).rejects.toMatchObject({
      status: 429,
    });
    await throttle.countAttempt('login', 'owner@example.com', '192.0.2.2');
  });

  it('delays attempts from very many IP addresses for at most half a minute', async () => {
    const throttle = new SignInThrottle(server.database, clock);
    for (let failure = 0; failure < 100; failure += 1)
      await throttle.countAttempt('login', 'target@example.com', `192.0.2.${failure}`);
    for (let failure = 0; failure < 8; failure += 1) {
      await expect(throttle.countAttempt('login', 'target@example.com', `198.51.100.${failure}`)).rejects.toMatchObject(
        {
          status: 429,
        },
      );
      clock.advance(30_000);
      await throttle.countAttempt('login', 'target@example.com', `198.51.100.${failure}`);
    }
  });

  it('delays for at most a quarter of an hour, and forgets failures after an hour', async () => {
    const throttle = new SignInThrottle(server.database, clock);
    for (let failure = 0; failure < 30; failure += 1) {
      await throttle.countAttempt('login', 'patient@example.com', '192.0.2.1');
      clock.advance(15 * 60_000);
    }
    await throttle.countAttempt('login', 'patient@example.com', '192.0.2.1');
    await expect(throttle.countAttempt('login', 'patient@example.com', '192.0.2.1')).rejects.toMatchObject({
      retryAfterSeconds: 900,
    });
    clock.advance(hourMs + 1);
    for (let failure = 0; failure < 10; failure += 1)
      await throttle.countAttempt('login', 'patient@example.com', '192.0.2.1');
    await throttle.removeOld();
    await expect(throttle.countAttempt('login', 'patient@example.com', '192.0.2.1')).rejects.toMatchObject({
      status: 429,
    });
    clock.advance(hourMs + 1);
    await throttle.removeOld();
    await throttle.countAttempt('login', 'patient@example.com', '192.0.2.1');
  });

  it('does not extend the delay for attempts that are refused during it', async () => {
    const throttle = new SignInThrottle(server.database, clock);
    for (let failure = 0; failure < 10; failure += 1)
      await throttle.countAttempt('login', 'a@example.com', '192.0.2.1');
    const now = clock.now();
    const frozenThrottle = new SignInThrottle(server.database, { now: () => now });
    for (let refusal = 0; refusal < 20; refusal += 1)
      await expect(frozenThrottle.countAttempt('login', 'a@example.com', '192.0.2.1')).rejects.toMatchObject({
        retryAfterSeconds: 1,
      });
  });
});
