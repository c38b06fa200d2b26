import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { createLog } from './server-log.ts';
import { Secret } from './secret.ts';
import type { CorePart } from './core-part.ts';

const none: readonly CorePart[] = [];

describe('health', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ parts: none });
  });
  afterAll(() => server.close());

  it('says that the process answers, and that it can serve', async () => {
    expect((await server.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await server.app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('measures requests by route and never by address, for callers on this machine', async () => {
    await server.app.inject('/healthz?secret=1');
    await server.app.inject('/api/no/such/thing');
    const { body } = await server.app.inject('/metrics');
    expect(body).toContain('walkdown_request_seconds_count{method="GET",route="/healthz",status="200"}');
    expect(body).toContain('route="none",status="404"');
    expect(body).not.toMatch(/secret|no\/such/);
    expect(body).toContain('walkdown_nodejs_eventloop_lag_seconds');
    expect((await server.app.inject({ url: '/metrics', remoteAddress: '10.0.0.1' })).statusCode).toBe(403);
  });

  it.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'shows no metrics through a proxy on this machine (%s), whatever address it names',
    async (header) => {
      expect((await server.app.inject({ url: '/metrics', headers: { [header]: '127.0.0.1' } })).statusCode).toBe(403);
    },
  );

  it('says that it lives also while it is too busy to serve', async () => {
    let said = '';
    const log = createLog(
      'info',
      new Writable({ write: (chunk: Buffer, _encoding, done) => ((said += chunk.toString()), done()) }),
    );
    const busy = await startTestServer({
      parts: none,
      database: server.server.database,
      log,
      config: { limits: { busyAfter: 1e-6 } },
    });
    const status = async (url: string) => (await busy.app.inject(url)).statusCode;
    await expect.poll(() => status('/readyz')).toBe(503);
    expect([await status('/healthz'), await status('/metrics'), await status('/readyz')]).toEqual([200, 200, 503]);
    await busy.close();
    expect(said).toContain('Refused because the process is busy.');
    expect(said).not.toMatch(/"level":"error"|stack/);
  });

  it('shows metrics to who knows their secret, and to nobody where they are off', async () => {
    const guarded = await startTestServer({
      parts: none,
      database: server.server.database,
      config: { metrics: { secret: new Secret('a secret') } },
    });
    const ask = async (authorization: string) =>
      (await guarded.app.inject({ url: '/metrics', remoteAddress: '10.0.0.1', headers: { authorization } })).statusCode;
    expect([await ask('Bearer a secret'), await ask('Bearer b secret'), await ask('')]).toEqual([200, 401, 401]);
    await guarded.close();
    const off = await startTestServer({
      parts: none,
      database: server.server.database,
      config: { metrics: { enabled: false }, apiDescription: false },
    });
    expect((await off.app.inject('/metrics')).statusCode).toBe(404);
    expect((await off.app.inject('/api/openapi.json')).statusCode).toBe(404);
    await off.close();
  });
});

describeOnDatabases('a server whose database is away', (kind) => {
  it('is alive, is not ready, and answers 503', async () => {
    const server = await startTestServer({ database: kind });
    const token = await server.signIn();
    expect((await server.app.inject('/metrics')).body).toContain('walkdown_sessions 1');
    await server.server.database.close();
    expect((await server.app.inject('/healthz')).statusCode).toBe(200);
    expect((await server.app.inject('/readyz')).json()).toEqual({ status: 'waiting for the database' });
    expect((await server.app.inject('/metrics')).body).toContain('walkdown_sessions Nan');
    const answer = await server.app.inject({
      method: 'POST',
      url: '/auth/pub/user/login',
      payload: { username: 'a@b.example', password: 'x' },
    });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'E010']);
    expect(token).toBeTruthy();
    await server.close();
  });
});
