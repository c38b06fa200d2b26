import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { hasBody, isBodyRead } from './request-body.ts';

export interface DiscardLimits {
  /** Of one body, after its answer; what is longer closes its connection. */
  readonly maxBytes: number;
  readonly maxMs: number;
  /** For so long a connection that is closed stays readable, so that the client reads the answer. */
  readonly lingerMs: number;
}

export const defaultDiscardLimits: DiscardLimits = { maxBytes: 16 * 1024 * 1024, maxMs: 30_000, lingerMs: 2000 };

/** Whether what is left of a body is too much to be discarded: its answer should close the connection. */
export function isTooLargeToDiscard(request: IncomingMessage, { maxBytes } = defaultDiscardLimits): boolean {
  return !isBodyRead(request) && Number(request.headers['content-length'] ?? 0) > maxBytes;
}

/**
 * Once a request is answered, reads and discards what nobody read of its body: else the next request on its connection
 * would wait until the connection times out. What exceeds the limits closes the connection, after the client could read
 * the answer. Returns what ends all of that at once.
 */
export function discardUnreadBodies(server: Server, limits = defaultDiscardLimits): () => void {
  const discarding = new Set<IncomingMessage>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    // Before Node's own listener, which closes the connection if the answer says so.
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
  // Node destroys the socket. What the client has sent by then would reset the connection before it reads the answer.
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
  // Node discards a body from which nobody read, to its end and uncounted.
  request.read();
  request.resume();
}
