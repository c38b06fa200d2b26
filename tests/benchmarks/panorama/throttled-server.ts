import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Simulated network conditions. */
export interface Throttling {
  /** Milliseconds before a response begins. */
  readonly latency: number;
  /** Bytes per second that all responses share. Infinity means unlimited. */
  readonly rate: number;
}

export interface ServedFile {
  readonly type: string;
  readonly body: Buffer;
  readonly encoding?: 'gzip';
}

const sliceBytes = 8 * 1024;

/** Serves files and byte ranges from memory at a limited speed, without caching. */
export class ThrottledServer {
  throttling: Throttling = { latency: 0, rate: Infinity };
  address = '';
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
    const part = from === undefined || to === undefined ? undefined : file.body.subarray(Number(from), Number(to) + 1);
    const { requests, bytes } = this.sentByPath.get(pathname) ?? { requests: 0, bytes: 0 };
    this.sentByPath.set(pathname, { requests: requests + 1, bytes: bytes + (part ?? file.body).length });
    void this.#send(part ? { ...file, body: part } : file, part ? 206 : 200, response);
  });

  constructor(files: ReadonlyMap<string, ServedFile>) {
    this.#files = files;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #send({ type, body, encoding }: ServedFile, status: number, response: ServerResponse): Promise<void> {
    const { latency, rate } = this.throttling;
    if (latency > 0) await pause(latency);
    response.writeHead(status, {
      'content-type': type,
      'content-length': body.length,
      'cache-control': 'no-store',
      ...(encoding ? { 'content-encoding': encoding } : {}),
    });
    if (rate === Infinity) {
      response.end(body);
      return;
    }
    for (let offset = 0; offset < body.length && !response.destroyed; offset += sliceBytes) {
      const part = body.subarray(offset, offset + sliceBytes);
      const now = performance.now();
      this.#nextSendAt = Math.max(now, this.#nextSendAt) + (part.length / rate) * 1000;
      if (this.#nextSendAt - now > 1) await pause(this.#nextSendAt - now);
      response.write(part);
    }
    response.end();
  }
}
