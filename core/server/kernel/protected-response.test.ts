import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definePlugin, endpoint } from '#core';
import { startTestServer, type TestServer } from '#core/testing/server';
import { enabledPlugin } from './enabled-plugin.ts';
import { serverPlugin } from './server-plugin.ts';

const wait = endpoint('GET', '/api/slow/wait', {
  summary: 'Wait until the test allows the reply.',
  access: 'public',
  reply: Type.Object({}),
});
const manifest = definePlugin({
  id: 'slow',
  title: 'slow.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});
const publicUrl = 'https://tours.example';
const host = 'Host: tours.example';

/** The headers of the replies to raw requests, until the connection is closed. */
async function readHeaders(socket: net.Socket): Promise<readonly string[]> {
  const all = await text(socket);
  return [...all.matchAll(/HTTP\/1\.1 [\s\S]*?\r\n\r\n/g)].map(([head]) => head.toLowerCase());
}

const securityHeaders = [
  'x-content-type-options: nosniff',
  'strict-transport-security: max-age=31536000; includesubdomains',
  "content-security-policy: default-src 'none'",
  "frame-ancestors 'none'",
  'referrer-policy: no-referrer',
];

describe('every reply', () => {
  let server: TestServer;
  let port: number;
  beforeAll(async () => {
    server = await startTestServer({ config: { publicUrl } });
    port = Number(new URL(await server.url()).port);
  });
  afterAll(() => server.close());

  it.each([
    ['200', `GET /healthz HTTP/1.1\r\n${host}`],
    ['200', `HEAD /healthz HTTP/1.1\r\n${host}`],
    ['404', `GET /api/nothing HTTP/1.1\r\n${host}`],
    ['404', `TRACE /healthz HTTP/1.1\r\n${host}`],
    ['400', `GET /api/%zz HTTP/1.1\r\n${host}`],
    ['400', `GET /api/files/%E0%A4%A HTTP/1.1\r\n${host}`],
    ['4', `GET /api/files/${'0'.repeat(2000)} HTTP/1.1\r\n${host}`],
    ['400', 'GET /healthz HTTP/1.1'],
    ['415', `POST /auth/pub/user/login HTTP/1.1\r\n${host}\r\nContent-Type: text/xml\r\nContent-Length: 0`],
  ])('has security headers, with status %s: %s', async (status, request) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.write(`${request}\r\nConnection: close\r\n\r\n`);
    const [head = ''] = await readHeaders(socket);
    expect(head).toContain(`http/1.1 ${status}`);
    for (const protection of securityHeaders) expect(head).toContain(protection);
    expect(head.match(/\nx-content-type-options:/g)).toHaveLength(1);
  });
});

it('adds security headers to replies while the server stops', async () => {
  let wasCalled = false;
  let finish = (): void => undefined;
  const plugin = enabledPlugin(
    manifest,
    {},
    serverPlugin<typeof manifest>()({
      api: (api) =>
        api.serve(wait, async () => {
          wasCalled = true;
          await new Promise<void>((resolve) => (finish = resolve));
          return {};
        }),
    }),
  );
  const server = await startTestServer({ plugins: [plugin], config: { publicUrl } });
  const socket = net.connect(Number(new URL(await server.url()).port), '127.0.0.1');
  const answers = readHeaders(socket);
  const request = `GET ${wait.path} HTTP/1.1\r\n${host}\r\n\r\n`;
  socket.write(request);
  await expect.poll(() => wasCalled).toBe(true);
  const completion = server.close();
  await expect.poll(() => server.app.server.listening).toBe(false);
  socket.write(request);
  await once(server.app.server, 'request');
  finish();
  await completion;
  const [, replyDuringStop = ''] = await answers;
  expect(replyDuringStop).toContain('http/1.1 503');
  for (const protection of securityHeaders) expect(replyDuringStop).toContain(protection);
});
