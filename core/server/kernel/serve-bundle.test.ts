import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#core/testing/server';

const signInPolicy = "default-src 'self'; script-src 'sha256-login'";
const appPolicy = "default-src 'self'; script-src 'sha256-app'";

describe('serveBundle', () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-bundle-'));
    const write = (name: string, content: string | Buffer): void => {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), content);
    };
    write('web/index.html', 'the application');
    write('web/login.html', 'the sign-in');
    write('web/sw.js', 'the worker');
    write('web/logo.svg', '<svg/>');
    write('web/static/js/app-ABC123.js', 'console.log(1)');
    write('web/static/js/app-ABC123.js.gz', gzipSync('console.log(1)'));
    write('web/.hidden', 'hidden');
    write('secret.txt', 'secret');
    write(
      'headers.json',
      JSON.stringify({
        '/login': { 'cache-control': 'no-cache', 'content-security-policy': signInPolicy },
        '/': { 'cache-control': 'no-cache', 'content-security-policy': appPolicy },
        '/static/': { 'cache-control': 'public, max-age=31536000, immutable' },
      }),
    );
    server = await startTestServer({ coreParts: [], bundleFolder: path.join(folder, 'web') });
  });
  afterAll(async () => {
    await server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers });

  it('[RTE-01] redirects the root to the login', async () => {
    for (const urlPath of ['/', '/dashboard', '/dashboard/']) {
      const answer = await get(urlPath);
      expect([answer.statusCode, answer.headers['location']]).toEqual([302, '/dashboard/login']);
    }
  });

  it('answers sign-in paths with the login page and other paths with the application, each with its own policy', async () => {
    for (const urlPath of ['login', 'login/admin', 'login/forgot?username=a@b.c', 'adminlogin']) {
      const answer = await get(`/dashboard/${urlPath}`);
      expect([
        urlPath,
        answer.statusCode,
        answer.body,
        answer.headers['content-security-policy'],
        answer.headers['cache-control'],
      ]).toEqual([urlPath, 200, 'the sign-in', signInPolicy, 'no-cache']);
    }
    for (const urlPath of ['console/home', 'console/tour/HB.M10?v=1', '404', 'loginx']) {
      const answer = await get(`/dashboard/${urlPath}`);
      expect([urlPath, answer.statusCode, answer.body, answer.headers['content-security-policy']]).toEqual([
        urlPath,
        200,
        'the application',
        appPolicy,
      ]);
    }
  });

  it('[API-11] serves scripts from static/js as immutable in the available encoding, and lets browsers revalidate the service worker', async () => {
    const script = await get('/dashboard/static/js/app-ABC123.js', { 'accept-encoding': 'gzip' });
    expect(script.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': appPolicy,
    });
    expect(script.headers['content-type']).toContain('javascript');
    expect((await get('/dashboard/static/js/app-ABC123.js')).body).toBe('console.log(1)');
    const worker = await get('/dashboard/sw.js');
    expect([worker.statusCode, worker.headers['cache-control']]).toEqual([200, 'no-cache']);
    const secondReply = await get('/dashboard/sw.js', { 'if-none-match': String(worker.headers['etag']) });
    expect(secondReply.statusCode).toBe(304);
  });

  it('refuses missing files and files outside the folder', async () => {
    for (const urlPath of [
      '/dashboard/static/js/gone.js',
      '/dashboard/logo.png',
      '/dashboard/.hidden',
      '/dashboard/../secret.txt',
      '/dashboard/..%2fsecret.txt',
      '/dashboard/%2e%2e/secret.txt',
      '/elsewhere',
      '/dashboardx',
    ]) {
      const answer = await get(urlPath);
      expect([urlPath, answer.statusCode]).toEqual([
        urlPath,
        expect.toSatisfy((status: number) => status === 404 || status === 403 || status === 400),
      ]);
      expect(answer.body).not.toContain('secret');
      expect(answer.json<{ reference: string }>().reference).toBeTruthy();
    }
    expect((await server.app.inject({ method: 'POST', url: '/dashboard/console/home' })).statusCode).toBe(404);
  });

  const serve = (bundleFolder: string) => startTestServer({ coreParts: [], database: server.database, bundleFolder });

  it('reports a folder that contains no product', async () => {
    await expect(serve(path.join(folder, 'nothing'))).rejects.toThrow('Run "walkdown build" first');
  });

  it('finds the headers next to the target of a symbolic link', async () => {
    const link = path.join(folder, 'elsewhere', 'web');
    fs.mkdirSync(path.dirname(link));
    fs.symlinkSync(path.join(folder, 'web'), link, 'junction');
    const linkedServer = await serve(link);
    const answer = await linkedServer.app.inject('/dashboard/console/home');
    expect(answer.headers['content-security-policy']).toBe(appPolicy);
    await linkedServer.close();
  });

  it.each([
    ['is missing', undefined],
    ['is not valid JSON', '{ "/": '],
    ['has no "content-security-policy" for "/" or "/login"', '{ "/": { "content-security-policy": "x" } }'],
    ['has no "content-security-policy" for "/" or "/login"', 'null'],
  ])('refuses to serve pages whose headers.json %s', async (cause, content) => {
    const productFolder = fs.mkdtempSync(path.join(folder, 'product-'));
    fs.cpSync(path.join(folder, 'web'), path.join(productFolder, 'web'), { recursive: true });
    if (content !== undefined) fs.writeFileSync(path.join(productFolder, 'headers.json'), content);
    await expect(serve(path.join(productFolder, 'web'))).rejects.toThrow(
      `${path.join(productFolder, 'headers.json')} ${cause}: pages would be sent without their security policy.`,
    );
  });
});
