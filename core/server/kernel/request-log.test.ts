import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { definePlugin, endpoint } from '#core';
import { startTestServer, type TestPerson, type TestServer } from '#core/testing/server';
import { enabledPlugin } from './enabled-plugin.ts';
import { serverPlugin } from './server-plugin.ts';

const manifest = definePlugin({
  id: 'shop',
  title: 'shop.title',
  settings: Type.Object({}),
  access: ['configure'],
  requires: [],
  bridges: [],
});
const configure = endpoint('GET', '/api/shop/configure', {
  summary: 'Requires an access flag.',
  access: 'configure',
  reply: Type.Object({}),
});
const view = endpoint('GET', '/api/shop/:location/look', {
  summary: 'Requires a location.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: Type.String() }),
  reply: Type.Object({}),
});
const shop = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api(api) {
      for (const servedEndpoint of [configure, view]) api.serve(servedEndpoint, () => ({}));
    },
  }),
);

describe('the request log', () => {
  let server: TestServer;
  let person: TestPerson;
  let token: string;
  const lines: Record<string, unknown>[] = [];
  beforeAll(async () => {
    server = await startTestServer({
      plugins: [shop],
      config: { trustedProxies: 1 },
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) }),
    });
    person = await server.addPerson();
    token = await server.signIn(person);
  });
  afterAll(() => server.close());
  beforeEach(() => void lines.splice(0));

  const get = (url: string, headers: Record<string, string> = {}) =>
    server.app.inject({
      url,
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7', ...headers },
    });

  it.each([
    ['a flag that the caller lacks', configure.path, configure.path, 'Your roles do not allow this.'],
    ['a location that the caller does not reach', '/api/shop/L1/look?code=1', view.path, 'Your roles do not reach'],
  ])('logs the caller, the address and the reason of a refused request: %s', async (_title, url, route, reason) => {
    const { statusCode, headers } = await get(url);
    expect(statusCode).toBe(403);
    const common = { request: headers['x-request-id'], route, caller: person.uid, address: '203.0.113.7' };
    await expect.poll(() => lines).toHaveLength(2);
    expect(lines).toEqual([
      expect.objectContaining({
        ...common,
        level: 40,
        event: 'access.refused',
        reason: expect.stringContaining(reason),
      }),
      expect.objectContaining({ ...common, level: 30, method: 'GET', status: 403 }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('code=1');
  });

  it('uses the request id of a trusted proxy, and generates one if it is missing or malformed', async () => {
    const readRequestId = async (headers?: Record<string, string>) =>
      (await get('/healthz', headers)).headers['x-request-id'];
    expect(await readRequestId({ 'x-request-id': 'abcdefgh-1' })).toBe('abcdefgh-1');
    expect(await readRequestId()).toMatch(/^[\da-f-]{36}$/);
    expect(await readRequestId({ 'x-request-id': 'a b\n' })).toMatch(/^[\da-f-]{36}$/);
  });
});
