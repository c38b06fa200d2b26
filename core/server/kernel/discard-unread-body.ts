import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { hasBody, isBodyRead } from './request-body.ts';

export interface DiscardLimits {
  /** The maximum of discarded bytes per body. A longer body closes its connection. */
  readonly maxBytes: number;
  readonly maxMs: number;
  /** The time for which a closed connection stays readable, so that the client can read the reply. */
  readonly lingerMs: number;
}

export const defaultDiscardLimits: DiscardLimits = { maxBytes: 16 * 1024 * 1024, maxMs: 30_000, lingerMs: 2000 };

/** Whether the rest of a body is too large to discard, so that its reply should close the connection. */
export function isTooLargeToDiscard(request: IncomingMessage, { maxBytes } = defaultDiscardLimits): boolean {
  return !isBodyRead(request) && Number(request.headers['content-length'] ?? 0) > maxBytes;
}

/**
 * Discards the unread rest of a body after its reply, which would otherwise block the next request of the connection.
 * Above the limits it closes the connection, after the client could read the reply. Returns a function that destroys
 * the connections of all bodies being discarded.
 */
export function discardUnreadBodies(server: Server, limits = defaultDiscardLimits): () => void {
  const discarding = new Set<IncomingMessage>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    // Runs before Node's own listener, which closes the connection if the reply says so.
    response.prependListener('finish', () => {
      if (isBodyRead(request) || request.destroyed) return;
      discarding.add(request);
      request.once('close', () => discarding.delete(request));
      discard(request, limits);
    });
  });
  return () => {
    for (const { socket } of discarding) socket.destroy();
  };
}

function discard(request: IncomingMessage, { maxBytes, maxMs, lingerMs }: DiscardLimits): void {
  const { socket } = request;
  let bytes = 0;
  let closing = false;
  const close = (): void => {
    if (closing) return;
    closing = true;
    clearTimeout(timer);
    timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.end();
  };
  const closeUnread = (): void => {
    request.pause();
    close();
  };
  let timer = setTimeout(closeUnread, maxMs);
  // Node would destroy the socket, and data in flight would reset the connection before the client reads the reply.
  socket.destroySoon = close;
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => {
    clearTimeout(timer);
    Reflect.deleteProperty(socket, 'destroySoon');
    if (closing) socket.destroySoon();
  });
  request.unpipe();
  request.removeAllListeners('data');
  request.removeAllListeners('readable');
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > maxBytes) closeUnread();
  });
  // Without this, Node would discard an unread body completely and uncounted.
  request.read();
  request.resume();
}
