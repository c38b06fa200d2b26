import { afterAll, beforeAll, expect, it } from 'vitest';
import { tokenTransportHeader } from '#core';
import { getMe } from '#core/api';
import { describeOnDatabases, startTestServer, type TestServer, login } from '#core/testing/server';
import { FileStore } from '../files/file-store.ts';
import { readServerConfig } from './server-config.ts';

const pages = 'https://tours.example.com';

describeOnDatabases(
  'an API on another origin than the pages',
  (kind) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer({
        database: kind,
        config: { publicUrl: pages, apiUrl: 'https://api.example.com/base', allowedOrigins: [pages] },
      });
    });
    afterAll(() => server.close());

    it('[API-14] accepts calls with cookies and tokens from the allowed origin', async () => {
      const preflight = await server.app.inject({
        method: 'OPTIONS',
        url: login.path,
        headers: {
          origin: pages,
          'access-control-request-method': 'POST',
          'access-control-request-headers': `content-type,${tokenTransportHeader}`,
        },
      });
      expect(preflight.statusCode).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': pages,
        'access-control-allow-credentials': 'true',
      });
      expect(preflight.headers['access-control-allow-headers']).toContain(tokenTransportHeader);

      const person = await server.addPerson();
      const answer = await server.call(login, {
        body: { username: person.username, password: person.password },
        headers: { origin: pages, [tokenTransportHeader]: 'cookie' },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': pages,
        'access-control-allow-credentials': 'true',
        'cross-origin-resource-policy': 'same-site',
      });
      expect(String(answer.headers['vary'])).toMatch(/origin/i);
      expect(String(answer.headers['set-cookie'])).toMatch(
        /__Host-refreshToken=[^;]*; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict/,
      );
    });

    it('returns absolute file URLs for pages on another host', () => {
      const files = server.service(FileStore);
      expect(files.url('0'.repeat(32), '1/2_3.jpg')).toBe(
        `https://api.example.com/base/api/files/${'0'.repeat(32)}/1/2_3.jpg`,
      );
    });

    it('lets pages of the allowed origin read refusals', async () => {
      const { status, headers } = await server.call(getMe, { headers: { origin: pages } });
      expect([status, headers['access-control-allow-origin']]).toEqual([401, pages]);
    });

    it.each(['https://evil.example', 'https://tours.example.com.evil.example', 'http://tours.example.com', 'null'])(
      'refuses calls of pages from %s',
      async (origin) => {
        const preflight = await server.app.inject({
          method: 'OPTIONS',
          url: login.path,
          headers: { origin, 'access-control-request-method': 'POST' },
        });
        expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
        expect(
          (await server.call(getMe, { headers: { origin } })).headers['access-control-allow-origin'],
        ).toBeUndefined();
      },
    );
  },
  ['embedded'],
);

it('refuses pages of all other origins if none is allowed', async () => {
  const server = await startTestServer({ coreParts: [] });
  const answer = await server.app.inject({ url: '/healthz', headers: { origin: pages } });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
  await server.close();
});

it('requires the URL of the API, with or without a path, if other origins are allowed', () => {
  const environment = { WALKDOWN_ALLOWED_ORIGINS: pages, WALKDOWN_PUBLIC_ADDRESS: pages };
  expect(
    readServerConfig({ ...environment, WALKDOWN_API_ADDRESS: 'https://api.example.com/base/' }).config.apiUrl,
  ).toBe('https://api.example.com/base');
  expect(readServerConfig(environment).problems).toContainEqual(
    expect.objectContaining({ variable: 'WALKDOWN_API_ADDRESS', kind: 'missing' }),
  );
  expect(readServerConfig({}).problems.map(({ variable }) => variable)).not.toContain('WALKDOWN_API_ADDRESS');
  expect(readServerConfig({ WALKDOWN_API_ADDRESS: 'api' }).problems).toContainEqual(
    expect.objectContaining({ variable: 'WALKDOWN_API_ADDRESS', kind: 'wrong' }),
  );
});

it('parses a list of origins, and reports and skips invalid ones', () => {
  const { config, problems } = readServerConfig({
    WALKDOWN_ALLOWED_ORIGINS: `${pages}, https://a.example/path, *, https://b.example:8443`,
  });
  expect(config.allowedOrigins).toEqual([pages, 'https://b.example:8443']);
  expect(problems.filter(({ variable }) => variable === 'WALKDOWN_ALLOWED_ORIGINS')).toMatchObject([{ kind: 'wrong' }]);
});
