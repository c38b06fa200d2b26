import { afterAll, beforeAll, expect, it } from 'vitest';
import { login } from '#core/api';
import { createMovableClock } from '../../testing/movable-clock.ts';
import { describeOnDatabases, startTestServer, type TestServer } from '../../testing/server.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

const hour = 60 * 60_000;

describeOnDatabases('guessing', (kind) => {
  const clock = createMovableClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, clock });
  });
  afterAll(() => server.close());

  const attempt = (username: string, password: string) => server.call(login, { body: { username, password } });

  it('delays password guesses increasingly after ten failures, and resets after a right login', async () => {
    const { username, password } = await server.addPerson();
    for (let failure = 0; failure < 10; failure += 1) expect((await attempt(username, 'wrong')).status).toBe(401);
    const waits: number[] = [];
    for (let failure = 0; failure < 4; failure += 1) {
      const { status, refusal, headers } = await attempt(username, password);
      expect([status, refusal.code]).toEqual([429, 'E008']);
      waits.push(Number(headers['retry-after']));
      clock.advance(waits.at(-1)! * 1000);
      expect((await attempt(username, 'wrong')).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8]);
    clock.advance(16_000);
    expect((await attempt(username, password)).status).toBe(200);
    expect((await attempt(username, 'wrong')).status).toBe(401);
    expect((await attempt(username, password)).status).toBe(200);
  });

  it('delays attempts at a missing account in the same way', async () => {
    const statuses: number[] = [];
    for (let failure = 0; failure < 12; failure += 1)
      statuses.push((await attempt('nobody@example.com', 'wrong')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  it('allows no more attempts at once than sequentially', async () => {
    const { username } = await server.addPerson();
    const answers = await Promise.all(Array.from({ length: 40 }, () => attempt(username, 'wrong')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it('does not lock out the owner at another address', async () => {
    const throttle = new SignInThrottle(server.server.database, clock);
    for (let failure = 0; failure < 10; failure += 1) await throttle.begin('login', 'owner@example.com', '192.0.2.1');
    await expect(throttle.begin('login', 'owner@example.com', '192.0.2.1')).rejects.toMatchObject({ status: 429 });
    await throttle.begin('login', 'owner@example.com', '192.0.2.2');
  });

  it('delays attempts from very many addresses too, for at most half a minute', async () => {
    const throttle = new SignInThrottle(server.server.database, clock);
    for (let failure = 0; failure < 100; failure += 1)
      await throttle.begin('login', 'target@example.com', `192.0.2.${failure}`);
    for (let failure = 0; failure < 8; failure += 1) {
      await expect(throttle.begin('login', 'target@example.com', `198.51.100.${failure}`)).rejects.toMatchObject({
        status: 429,
      });
      clock.advance(30_000);
      await throttle.begin('login', 'target@example.com', `198.51.100.${failure}`);
    }
  });

  it('waits at most a quarter of an hour, and forgets failures after an hour', async () => {
    const throttle = new SignInThrottle(server.server.database, clock);
    for (let failure = 0; failure < 30; failure += 1) {
      await throttle.begin('login', 'patient@example.com', '192.0.2.1');
      clock.advance(15 * 60_000);
    }
    await throttle.begin('login', 'patient@example.com', '192.0.2.1');
    await expect(throttle.begin('login', 'patient@example.com', '192.0.2.1')).rejects.toMatchObject({
      retryAfterSeconds: 900,
    });
    clock.advance(hour + 1);
    for (let failure = 0; failure < 10; failure += 1) await throttle.begin('login', 'patient@example.com', '192.0.2.1');
    await throttle.removeOld();
    await expect(throttle.begin('login', 'patient@example.com', '192.0.2.1')).rejects.toMatchObject({ status: 429 });
    clock.advance(hour + 1);
    await throttle.removeOld();
    await throttle.begin('login', 'patient@example.com', '192.0.2.1');
  });

  it('does not extend the delay by attempts that it refuses', async () => {
    const throttle = new SignInThrottle(server.server.database, clock);
    for (let failure = 0; failure < 10; failure += 1) await throttle.begin('login', 'a@example.com', '192.0.2.1');
    const now = clock.now();
    const still = new SignInThrottle(server.server.database, { now: () => now });
    for (let refused = 0; refused < 20; refused += 1)
      await expect(still.begin('login', 'a@example.com', '192.0.2.1')).rejects.toMatchObject({ retryAfterSeconds: 1 });
  });
});
