import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definePlugin, endpoint } from '#core';
import { login } from '#core/api';
import { soakCount, startTestServer, type TestServer } from '#core/testing/server';
import { uploadsFolder } from '../files/receive-upload.ts';
import { watchBodyRate } from './body-rate.ts';
import { enabledPlugin } from './enabled-plugin.ts';
import { serverPlugin } from './server-plugin.ts';

const receiveFile = endpoint('POST', '/api/slow/file', {
  summary: 'Receive a file.',
  access: 'signedIn',
  reply: Type.Object({ bytes: Type.Number() }),
});
const manifest = definePlugin({
  id: 'slow',
  title: 'slow.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});
const plugin = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api: (api) =>
      api.serveUpload(
        receiveFile,
        { accept: ['application/octet-stream'], maximumBytes: 1e6 },
        async (_call, { files: [file] }) => ({ bytes: file?.bytes ?? 0 }),
      ),
  }),
);

/** Sends `bytesPerWrite` bytes every `everyMs`, and resolves with the reply when the connection is closed. */
async function sendSlowly(
  port: number,
  head: string,
  firstBytes: string,
  bytesPerWrite: number,
  everyMs: number,
): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.write(`${head}\r\n\r\n${firstBytes}`);
  const timer = setInterval(() => socket.write('x'.repeat(bytesPerWrite)), everyMs);
  await once(socket, 'close');
  clearInterval(timer);
  return answer;
}

describe('a slow body', () => {
  let server: TestServer;
  let port: number;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({
      plugins: [plugin],
      config: { limits: { bodyBytesPerSecond: 1000, bodyWindowMs: 400 } },
    });
    port = Number(new URL(await server.url()).port);
    token = await server.signIn();
  });
  afterAll(() => server.close());

  const formatHead = (path: string, type: string, length: number, moreHeaders = ''): string =>
    `POST ${path} HTTP/1.1\r\nHost: walkdown\r\nContent-Type: ${type}\r\nContent-Length: ${length}${moreHeaders}`;
  const formatJsonHead = (): string => formatHead(login.path, 'application/json', 5000);
  const formatFormHead = (length: number): string =>
    formatHead(receiveFile.path, 'multipart/form-data; boundary=X', length, `\r\nAuthorization: Bearer ${token}`);
  const partStart = '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const partEnd = '\r\n--X--\r\n';

  it('is answered with 408 and closes its connection', async () => {
    const answer = await sendSlowly(port, formatJsonHead(), '{', 1, 50);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toContain('"message":"core.refused.bodyTooSlow"');
  });

  it('is answered with 408 if it is an upload, and leaves no files', async () => {
    for (const first of ['', '--X\r\nContent-Dis', `${partStart}the beginning of a file`]) {
      const answer = await sendSlowly(port, formatFormHead(100_000), first, 1, 50);
      expect([first, answer.slice(0, 13)]).toEqual([first, 'HTTP/1.1 408 ']);
      expect(answer).toContain('"message":"core.refused.bodyTooSlow"');
    }
    const folder = uploadsFolder(server.config);
    await expect.poll(async () => (existsSync(folder) ? readdir(folder) : [])).toEqual([]);
  });

  const count = soakCount(50, 500);
  it(`does not occupy connections for long, and ${count} slow bodies do not block other requests`, async () => {
    const replies = Promise.all(Array.from({ length: count }, () => sendSlowly(port, formatJsonHead(), '{', 1, 50)));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(new Set((await replies).map((answer) => answer.slice(0, 13)))).toEqual(new Set(['HTTP/1.1 408 ']));
  });

  it('is accepted over many windows if it is fast enough', async () => {
    const length = 10_000;
    const wholeBody = Buffer.from(`${partStart}${'x'.repeat(length)}${partEnd}`);
    const request = http.request({
      port,
      host: '127.0.0.1',
      path: receiveFile.path,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=X',
        'content-length': wholeBody.length,
      },
    });
    const responseEvent = once(request, 'response') as Promise<[IncomingMessage]>;
    for (let offset = 0; offset < wholeBody.length; offset += 100) {
      request.write(wholeBody.subarray(offset, offset + 100));
      await pause(20);
    }
    request.end();
    const [answer] = await responseEvent;
    expect([answer.statusCode, JSON.parse(String(await buffer(answer)))]).toEqual([200, { bytes: length }]);
  });
});

describe('a server that reads slowly', () => {
  it('does not count its own pauses as slowness of the client, but disconnects a client that sends no body', async () => {
    let startReading: () => void = () => undefined;
    const readingStarted = new Promise<void>((resolve) => (startReading = resolve));
    const server = http.createServer((request, response) => {
      if (request.url === '/never') return;
      void readingStarted.then(() => buffer(request)).then(({ length }) => response.end(String(length)));
    });
    const stop = watchBodyRate(server, { minBytesPerSecond: 1000, windowMs: 100 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const upload = fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: Buffer.alloc(1e6) });
    const silentReply = await sendSlowly(
      port,
      'POST /never HTTP/1.1\r\nHost: walkdown\r\nContent-Length: 10',
      '',
      0,
      1000,
    );
    expect(silentReply).toBe('');
    // The upload has waited for the server for several windows.
    await pause(500);
    startReading();
    expect(await (await upload).text()).toBe('1000000');
    stop();
    server.close();
    server.closeAllConnections();
  });
});
