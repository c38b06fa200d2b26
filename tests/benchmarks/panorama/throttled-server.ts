import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Simulated network conditions. */
export interface Throttling {
  /** Milliseconds before a response begins. */
  readonly latencyMs: number;
  /** Bytes per second that all responses share. Infinity means unlimited. */
  readonly bytesPerSecond: number;
}

export interface ServedFile {
  readonly type: string;
  readonly body: Buffer;
  readonly encoding?: 'gzip';
}

const sliceBytes = 8 * 1024;

/** Serves files and byte ranges from memory at a limited speed, without caching. */
export class ThrottledServer {
  throttling: Throttling = { latencyMs: 0, bytesPerSecond: Infinity };
  url = '';
  /** Number of requests and bytes sent, by path. */
  readonly sentByPath = new Map<string, { readonly requests: number; readonly bytes: number }>();
  readonly #files: ReadonlyMap<string, ServedFile>;
  #nextSendAt = 0;
  readonly #server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://line');
    const file = this.#files.get(pathname);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const rangeBody =
      from === undefined || to === undefined ? undefined : file.body.subarray(Number(from), Number(to) + 1);
    const { requests, bytes } = this.sentByPath.get(pathname) ?? { requests: 0, bytes: 0 };
    this.sentByPath.set(pathname, { requests: requests + 1, bytes: bytes + (rangeBody ?? file.body).length });
    void this.#send(rangeBody ? { ...file, body: rangeBody } : file, rangeBody ? 206 : 200, response);
  });

  constructor(files: ReadonlyMap<string, ServedFile>) {
    this.#files = files;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #send({ type, body, encoding }: ServedFile, status: number, response: ServerResponse): Promise<void> {
    const { latencyMs, bytesPerSecond } = this.throttling;
    if (latencyMs > 0) await pause(latencyMs);
    response.writeHead(status, {
      'content-type': type,
      'content-length': body.length,
      'cache-control': 'no-store',
      ...(encoding ? { 'content-encoding': encoding } : {}),
    });
    if (bytesPerSecond === Infinity) {
      response.end(body);
      return;
    }
    for (let offset = 0; offset < body.length && !response.destroyed; offset += sliceBytes) {
      const slice = body.subarray(offset, offset + sliceBytes);
      const now = performance.now();
      this.#nextSendAt = Math.max(now, this.#nextSendAt) + (slice.length / bytesPerSecond) * 1000;
      if (this.#nextSendAt - now > 1) await pause(this.#nextSendAt - now);
      response.write(slice);
    }
    response.end();
  }
}
