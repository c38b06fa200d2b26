import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections on which no request came yet, as browsers open them ahead of need. Node does not count them among the
 * idle ones, so a server that stops would wait for them. Returns what closes them, and from then on every new one.
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
