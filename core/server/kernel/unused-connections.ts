import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches connections without a request, which browsers open in advance. Node does not count them as idle, so a
 * stopping server would wait for them. Returns a function that closes them and all later connections.
 */
export function watchUnusedConnections(server: Server): () => void {
  const unusedSockets = new Set<Socket>();
  let closing = false;
  server.on('connection', (socket) => {
    if (closing) {
      socket.destroy();
      return;
    }
    unusedSockets.add(socket);
    socket.once('close', () => unusedSockets.delete(socket));
  });
  server.prependListener('request', ({ socket }) => unusedSockets.delete(socket));
  return () => {
    closing = true;
    for (const socket of unusedSockets) socket.destroy();
  };
}
