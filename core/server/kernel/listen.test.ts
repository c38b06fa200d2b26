import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { definePlugin, endpoint } from '#core';
import { startTestServer } from '#core/testing/server';
import { enabledPlugin } from './enabled-plugin.ts';
import { checkPort, listen } from './listen.ts';
import { serverPlugin } from './server-plugin.ts';

const hasBothLoopbacks = Object.values(os.networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

const manifest = definePlugin({
  id: 'slow',
  title: 'slow.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});
const wait = endpoint('GET', '/api/slow/wait', {
  summary: 'Wait until the test allows the reply.',
  access: 'public',
  reply: Type.Object({}),
});

describe.skipIf(!hasBothLoopbacks)('HOST=localhost', () => {
  const servers: Server[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.close()));
  async function occupyPort(host: string): Promise<number> {
    const server = createServer();
    servers.push(server);
    server.listen(0, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it.each(['127.0.0.1', '::1'])('refuses a port that another program uses on %s', async (host) => {
    const port = await occupyPort(host);
    await expect(checkPort({ host: 'localhost', port })).rejects.toThrow(
      `The port ${port} on ${host} is used by another program.`,
    );
    const app = Fastify();
    await expect(listen(app, { host: 'localhost', port })).rejects.toThrow(`The port ${port} on ${host} is used`);
    await app.close();
    const otherHost = host === '::1' ? '127.0.0.1' : '::1';
    await checkPort({ host: otherHost, port });
  });

  it('shares limits between both addresses, and stops listening on both', async () => {
    let allowReply: () => void;
    const replyAllowed = new Promise<void>((resolve) => (allowReply = resolve));
    let reportCall: () => void;
    const requestArrival = new Promise<void>((resolve) => (reportCall = resolve));
    const plugin = enabledPlugin(
      manifest,
      {},
      serverPlugin<typeof manifest>()({
        api: (api) =>
          api.serve(wait, async () => {
            reportCall();
            await replyAllowed;
            return {};
          }),
      }),
    );
    const server = await startTestServer({
      coreParts: [],
      plugins: [plugin],
      config: { host: 'localhost', limits: { connectionsPerAddress: 2 } },
    });
    const { port } = new URL(await server.url());
    const sockets = ['::1', '::1', '::1'].map((host) => connect(Number(port), host));
    // The third connection is closed at once, because the limit counts the connections of both addresses.
    await Promise.race(sockets.map((socket) => once(socket.resume(), 'close')));
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(() =>
        fetch(`http://[::1]:${port}/healthz`).then(
          ({ status }) => status,
          () => 'refused',
        ),
      )
      .toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    const response = fetch(`http://[::1]:${port}${wait.path}`);
    await requestArrival;
    const completion = server.close();
    await expect.poll(() => checkPort({ host: '::1', port: Number(port) }).then(() => 'free')).toBe('free');
    allowReply!();
    expect((await response).status).toBe(200);
    await completion;
  });
});
