import { once } from 'node:events';
import net from 'node:net';
import { expect, it } from 'vitest';
import { startTestServer } from '#core/testing/server';

it('stops at once although a browser holds an unused connection', async () => {
  const server = await startTestServer({ database: 'embedded' });
  const { hostname, port } = new URL(await server.url());
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  const closeEvent = once(socket, 'close');
  socket.resume();
  const startedAt = performance.now();
  await server.close();
  await closeEvent;
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
