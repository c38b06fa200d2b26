import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { hasBody } from './request-body.ts';
import { requestTimeout } from './server-error.ts';

export interface BodyRate {
  /** 0: bodies may take as long as they like. */
  readonly minBytesPerSecond: number;
  /** The rate is looked at over so long. */
  readonly windowMs: number;
}

interface Watched {
  readonly response: ServerResponse;
  /** What the connection had brought when the window began. */
  bytesBefore: number;
  /** How long the server waited for the client in this window. */
  waitedMs: number;
  told: boolean;
}

const ticksInWindow = 20;

/**
 * Answers 408 to clients that send a body more slowly than `minBytesPerSecond` over a window, and closes their
 * connections. Only time in which the server waits for the client counts: not that in which it reads nothing itself.
 * Returns what stops it.
 */
export function watchBodyRate(server: Server, { minBytesPerSecond, windowMs }: BodyRate): () => void {
  if (minBytesPerSecond === 0) return () => undefined;
  const watched = new Map<IncomingMessage, Watched>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    watched.set(request, { response, bytesBefore: request.socket.bytesRead, waitedMs: 0, told: false });
    // Also comes where the connection is lost. What is left of the body then is discarded, or the connection closed.
    response.once('close', () => watched.delete(request));
  });
  const tickMs = windowMs / ticksInWindow;
  const tick = setInterval(() => {
    for (const [request, state] of watched) {
      if (request.complete) watched.delete(request);
      else if (request.readableLength === 0) {
        state.waitedMs += tickMs;
        if (state.waitedMs >= windowMs) endWindow(request, state, minBytesPerSecond);
      }
    }
  }, tickMs).unref();
  return () => clearInterval(tick);
}

function endWindow(request: IncomingMessage, state: Watched, minBytesPerSecond: number): void {
  const { bytesRead } = request.socket;
  const isSlow = bytesRead - state.bytesBefore < (minBytesPerSecond * state.waitedMs) / 1000;
  state.bytesBefore = bytesRead;
  state.waitedMs = 0;
  if (!isSlow) return;
  // Whoever reads the body answers. Where nobody does, or the answer has begun, nothing can be said any more.
  if (!state.told && !state.response.headersSent && request.listenerCount('error') > 0) {
    state.told = true;
    request.emit('error', requestTimeout());
  } else request.socket.destroy();
}
