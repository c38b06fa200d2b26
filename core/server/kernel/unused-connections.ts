import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches connections without a request, which browsers open in advance. Node does not count them as idle, so a
 * stopping server would wait for them. Returns a function that closes them and all later connections.
 */
export function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  let closing = false;
  server.on('connection', (socket) => {
    if (closing) {
      socket.destroy();
      return;
    }
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', ({ socket }) => unused.delete(socket));
  return () => {
    closing = true;
    for (const socket of unused) socket.destroy();
  };
}
