import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { hasBody } from './request-body.ts';
import { requestTimeout } from './server-error.ts';

export interface BodyRate {
  /** The minimum rate; 0 means no limit. */
  readonly minBytesPerSecond: number;
  /** The window over which the rate is measured. */
  readonly windowMs: number;
}

interface WatchedBody {
  readonly response: ServerResponse;
  /** Bytes received on the connection when the window began. */
  bytesBefore: number;
  /** The time for which the server has waited for the client in this window. */
  waitedMs: number;
  answered: boolean;
}

const ticksInWindow = 20;

/**
 * Answers 408 to clients that send a body more slowly than `minBytesPerSecond` over a window, and closes their
 * connections. Only time in which the server waits for the client counts. Returns a function that stops the watch.
 */
export function watchBodyRate(server: Server, { minBytesPerSecond, windowMs }: BodyRate): () => void {
  if (minBytesPerSecond === 0) return () => undefined;
  const watchedBodies = new Map<IncomingMessage, WatchedBody>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    watchedBodies.set(request, { response, bytesBefore: request.socket.bytesRead, waitedMs: 0, answered: false });
    // Also emitted if the connection is lost. The rest of the body is then discarded, or the connection closed.
    response.once('close', () => watchedBodies.delete(request));
  });
  const tickMs = windowMs / ticksInWindow;
  const tickTimer = setInterval(() => {
    for (const [request, body] of watchedBodies) {
      if (request.complete) watchedBodies.delete(request);
      else if (request.readableLength === 0) {
        body.waitedMs += tickMs;
        if (body.waitedMs >= windowMs) endWindow(request, body, minBytesPerSecond);
      }
    }
  }, tickMs).unref();
  return () => clearInterval(tickTimer);
}

function endWindow(request: IncomingMessage, body: WatchedBody, minBytesPerSecond: number): void {
  const { bytesRead } = request.socket;
  const isSlow = bytesRead - body.bytesBefore < (minBytesPerSecond * body.waitedMs) / 1000;
  body.bytesBefore = bytesRead;
  body.waitedMs = 0;
  if (!isSlow) return;
  // The reader of the body answers. Without one, or once the reply has begun, nothing more can be sent.
  if (!body.answered && !body.response.headersSent && request.listenerCount('error') > 0) {
    body.answered = true;
    request.emit('error', requestTimeout());
  } else request.socket.destroy();
}
