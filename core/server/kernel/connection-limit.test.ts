import { once } from 'node:events';
import net from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { login } from '#core/api';
import { startTestServer, type TestServer } from '#core/testing/server';
import { createLog } from './server-log.ts';

describe('connections of one address', () => {
  let server: TestServer | undefined;
  const sockets: net.Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server?.close();
    server = undefined;
  });

  async function start(trustedProxies: number, connectionsPerAddress: number, onLine: (line: string) => void) {
    const log = createLog(
      'warn',
      new Writable({ write: (chunk: Buffer, _, finish) => (onLine(String(chunk)), finish()) }),
    );
    server = await startTestServer({ log, config: { trustedProxies, limits: { connectionsPerAddress } } });
    return Number(new URL(await server.url()).port);
  }
  async function connect(port: number): Promise<net.Socket> {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }
  async function readStatus(socket: net.Socket, moreHeaders = ''): Promise<string> {
    socket.write(`GET /healthz HTTP/1.1\r\nHost: walkdown${moreHeaders}\r\n\r\n`);
    const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
    return typeof chunk === 'boolean' ? 'closed' : chunk.toString('latin1').slice(0, 12);
  }

  it('are closed at once above the limit, with one log line', async () => {
    let output = '';
    const port = await start(0, 3, (line) => (output += line));
    const open = [await connect(port), await connect(port), await connect(port)];
    for (const socket of open) expect(await readStatus(socket)).toBe('HTTP/1.1 200');
    expect(await readStatus(await connect(port))).toBe('closed');
    expect(await readStatus(await connect(port))).toBe('closed');
    expect(output.match(/WALKDOWN_CONNECTIONS_PER_ADDRESS/g)).toHaveLength(1);
    open[0]?.destroy();
    await expect.poll(async () => readStatus(await connect(port))).toBe('HTTP/1.1 200');
  });

  it('behind a proxy, are limited by the concurrent requests of each client address that the proxy forwards', async () => {
    const port = await start(1, 2, () => undefined);
    const formatForwardedFor = (address: string): string => `\r\nX-Forwarded-For: ${address}`;
    const openRequest = async (address: string): Promise<net.Socket> => {
      const socket = await connect(port);
      socket.write(
        `POST ${login.path} HTTP/1.1\r\nHost: walkdown${formatForwardedFor(address)}\r\nContent-Type: application/json\r\n` +
          'Content-Length: 100\r\n\r\n{',
      );
      return socket;
    };
    const readStatusFrom = async (address: string): Promise<string> =>
      readStatus(await connect(port), formatForwardedFor(address));
    const firstRequest = await openRequest('203.0.113.1');
    await openRequest('203.0.113.1');
    await expect.poll(() => readStatusFrom('203.0.113.1')).toBe('HTTP/1.1 429');
    expect(await readStatusFrom('203.0.113.2')).toBe('HTTP/1.1 200');
    firstRequest.destroy();
    await expect.poll(() => readStatusFrom('203.0.113.1')).toBe('HTTP/1.1 200');
  });

  it('are closed if request headers do not arrive in time, and stay open for 72 s between requests', async () => {
    const port = await start(0, 0, () => undefined);
    const http = server?.app.server;
    expect([http?.headersTimeout, http?.keepAliveTimeout]).toEqual([30_000, 72_000]);
    if (http) http.headersTimeout = 200;
    const silent = await connect(port);
    const dripping = await connect(port);
    dripping.write('GET /healthz HTTP/1.1\r\n');
    const dripTimer = setInterval(() => dripping.write('X-Header: 1\r\n'), 50);
    let answer = '';
    dripping.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    silent.on('data', () => expect.unreachable('A connection that sent nothing was answered.'));
    await Promise.all([once(silent, 'close'), once(dripping, 'close')]);
    clearInterval(dripTimer);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code: 'E002', message: expect.any(String) });
  });
});
