import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#core/testing/server';

const pageHeaders = { 'content-security-policy': "default-src 'self'; script-src 'sha256-app'" };

describe('SVG files of the bundle', () => {
  let folder: string;
  let server: TestServer;
  const write = (name: string, content: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content);
  };
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-svg-'));
    for (const name of ['index.html', 'login.html']) write(`web/${name}`, 'a page');
    for (const name of ['favicon.svg', 'static/brand/logo-0a.svg']) write(`web/${name}`, '<svg/>');
    for (const [extension, compress] of [
      ['br', brotliCompressSync],
      ['gz', gzipSync],
    ] as const)
      fs.writeFileSync(path.join(folder, `web/favicon.svg.${extension}`), compress('<svg/>'));
    write(
      'headers.json',
      JSON.stringify({ '/login': pageHeaders, '/': pageHeaders, '/static/': { 'cache-control': 'immutable' } }),
    );
    server = await startTestServer({ coreParts: [], bundleFolder: path.join(folder, 'web') });
  });
  afterAll(async () => {
    await server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it.each(['favicon.svg', 'favicon%2esvg', 'static/brand/logo-0a.svg', 'static/brand/logo-0a%2Esvg?v=1'])(
    'run no script and load no file when opened as a page: %s',
    async (name) => {
      const { statusCode, headers } = await server.app.inject({ url: `/dashboard/${name}` });
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*; sandbox$/);
      expect(headers['cache-control']).toBe(name.startsWith('static/') ? 'immutable' : 'no-cache');
    },
  );

  it.each(['br', 'gzip'])('declare their character set when sent as %s', async (encoding) => {
    const { headers } = await server.app.inject({
      url: '/dashboard/favicon.svg',
      headers: { 'accept-encoding': encoding },
    });
    expect([headers['content-encoding'], headers['content-type']]).toEqual([encoding, 'image/svg+xml; charset=utf-8']);
  });

  it('do not change the policy of pages', async () => {
    const { headers } = await server.app.inject({ url: '/dashboard/console/home' });
    expect(headers['content-security-policy']).toBe(pageHeaders['content-security-policy']);
  });
});
