import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenTransportHeader } from '#core';
import { describeOnDatabases, startTestServer, type TestServer, login } from '#core/testing/server';
import { CookieJar } from '../../testing/cookie-jar.ts';
import { createLog } from './server-log.ts';
import { Secret } from './secret.ts';
import type { CorePart } from './core-part.ts';

const noParts: readonly CorePart[] = [];
const openMetrics = { metrics: { exposure: 'open' } } as const;

describe('health', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ coreParts: noParts, config: openMetrics });
  });
  afterAll(() => server.close());

  it('reports that the process is alive and ready', async () => {
    expect((await server.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await server.app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('measures requests by route, never by URL', async () => {
    await server.app.inject('/healthz?secret=1');
    await server.app.inject('/api/no/such/thing');
    const { body } = await server.app.inject('/metrics');
    expect(body).toContain('walkdown_request_seconds_count{method="GET",route="/healthz",status="200"}');
    expect(body).toContain('route="none",status="404"');
    expect(body).not.toMatch(/secret|no\/such/);
    expect(body).toContain('walkdown_nodejs_eventloop_lag_seconds');
    expect((await server.app.inject({ url: '/metrics', remoteAddress: '10.0.0.1' })).statusCode).toBe(200);
  });

  it('reports on /healthz that it is alive while it is too busy to serve', async () => {
    let output = '';
    const log = createLog(
      'info',
      new Writable({ write: (chunk: Buffer, _encoding, finish) => ((output += chunk.toString()), finish()) }),
    );
    const busyServer = await startTestServer({
      coreParts: noParts,
      database: server.database,
      log,
      config: { ...openMetrics, limits: { maxEventLoopLagMs: 1e-6 } },
    });
    const readStatus = async (url: string) => (await busyServer.app.inject(url)).statusCode;
    await expect.poll(() => readStatus('/readyz')).toBe(503);
    expect([await readStatus('/healthz'), await readStatus('/metrics'), await readStatus('/readyz')]).toEqual([
      200, 200, 503,
    ]);
    await busyServer.close();
    expect(output).toContain('Refused because the process is busy.');
    expect(output).not.toMatch(/"level":"error"|stack/);
  });

  it('serves metrics to clients with their secret', async () => {
    const guardedServer = await startTestServer({
      config: { metrics: { secret: new Secret('a secret') } },
    });
    const readStatus = async (authorization: string) =>
      (await guardedServer.app.inject({ url: '/metrics', remoteAddress: '10.0.0.1', headers: { authorization } }))
        .statusCode;
    expect([await readStatus('Bearer a secret'), await readStatus('Bearer b secret'), await readStatus('')]).toEqual([
      200, 401, 401,
    ]);
    await guardedServer.close();
  });

  it('serves neither metrics nor the API description if they are off', async () => {
    const restrictedServer = await startTestServer({
      coreParts: noParts,
      database: server.database,
      config: { metrics: { exposure: 'off' }, apiDescription: 'off' },
    });
    expect((await restrictedServer.app.inject('/metrics')).statusCode).toBe(404);
    expect((await restrictedServer.app.inject('/api/openapi.json')).statusCode).toBe(404);
    await restrictedServer.close();
  });
});

describeOnDatabases('metrics and the description of the API', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
  });
  afterAll(() => server.close());
  const pages = ['/metrics', '/api/openapi.json', '/api/docs', '/api/docs/style.css'];
  const readStatuses = (testedServer: TestServer, headers: Readonly<Record<string, string>>) =>
    Promise.all(pages.map(async (url) => (await testedServer.app.inject({ url, headers })).statusCode));

  it('requires sign-in for the API description and metrics by default', async () => {
    expect(await readStatuses(server, {})).toEqual([401, 401, 401, 401]);
    expect(await readStatuses(server, { authorization: 'Bearer forged' })).toEqual([401, 401, 401, 401]);
    expect(await readStatuses(server, { authorization: `Bearer ${await server.signIn()}` })).toEqual([
      200, 200, 200, 200,
    ]);
    expect((await server.app.inject('/metrics')).json()).toMatchObject({
      message: expect.stringContaining('WALKDOWN_METRICS_SECRET'),
    });
  });

  it('accepts the file ticket for the API page, because browsers open pages without a token', async () => {
    const { username, password } = await server.addPerson();
    const jar = new CookieJar();
    const headers = { [tokenTransportHeader]: 'cookie' };
    jar.store((await server.call(login, { body: { username, password }, headers })).headers);
    const openApiPage = async () =>
      (await server.app.inject({ url: '/api/docs', headers: jar.headersFor('/api/docs') })).statusCode;
    expect(await openApiPage()).toBe(200);
  });

  it('serves the API description and metrics to anybody if they are open', async () => {
    const openServer = await startTestServer({
      database: server.database,
      config: { ...openMetrics, apiDescription: 'open' },
    });
    expect(await readStatuses(openServer, {})).toEqual([200, 200, 200, 200]);
    await openServer.close();
  });
});

describeOnDatabases('a server whose database is unavailable', (kind) => {
  it('is alive but not ready, and answers calls with 503', async () => {
    const server = await startTestServer({ database: kind, config: openMetrics });
    const token = await server.signIn();
    expect((await server.app.inject('/metrics')).body).toContain('walkdown_sessions 1');
    await server.database.close();
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
