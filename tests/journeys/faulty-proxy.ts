import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A network fault. `cut` closes the connection in the middle of the body, and `reset` before the first byte. `damaged`
 * sends wrong bytes of the right length. A number is the status of the reply.
 */
export type Fault = 'cut' | 'reset' | 'damaged' | number;

/** A proxy between browser and server that injects faults into requests of pages and workers. */
export class FaultyProxy {
  /** Number of responses affected by each fault. */
  readonly faultCounts = new Map<Fault, number>();
  readonly #faults = new Map<RegExp, Fault>();
  readonly #diversions = new Map<RegExp, URL>();
  /** Idle connections stay open, because closing one while it is reused would be an unintended fault. */
  readonly #server = createServer({ keepAliveTimeout: 0 }, (incomingRequest, response) =>
    this.#forward(incomingRequest, response),
  );
  readonly #origin: URL;

  private constructor(origin: string) {
    this.#origin = new URL(origin);
  }

  static async startFor(origin: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(origin);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forwards matching paths to another server. */
  divertPath(path: RegExp, origin: string): void {
    this.#diversions.set(path, new URL(origin));
  }

  /** Injects a fault into matching paths. If several faults match, the last one applies. */
  addFault(path: RegExp, fault: Fault): void {
    this.#faults.delete(path);
    this.#faults.set(path, fault);
  }

  removeFaults(): void {
    this.#faults.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #forward(incomingRequest: IncomingMessage, response: ServerResponse): void {
    const fault = [...this.#faults].findLast(([path]) => path.test(incomingRequest.url ?? ''))?.[1];
    if (fault !== undefined) this.faultCounts.set(fault, (this.faultCounts.get(fault) ?? 0) + 1);
    if (fault === 'reset') return void incomingRequest.socket.destroy();
    if (typeof fault === 'number')
      return void response
        .writeHead(fault, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify({ code: 'E000', message: 'The line is faulty.', reference: 'faulty' }));
    const origin = [...this.#diversions].find(([path]) => path.test(incomingRequest.url ?? ''))?.[1] ?? this.#origin;
    const { 'if-none-match': _, ...unconditional } = incomingRequest.headers;
    const headers = {
      ...(fault ? { ...unconditional, 'accept-encoding': 'identity' } : incomingRequest.headers),
      host: origin.host,
    };
    const forwardedRequest = request(
      {
        hostname: origin.hostname,
        port: origin.port,
        path: incomingRequest.url,
        method: incomingRequest.method,
        headers,
      },
      (reply) => {
        response.writeHead(
          reply.statusCode ?? 502,
          fault ? { ...reply.headers, 'cache-control': 'no-store' } : reply.headers,
        );
        if (!fault) return void reply.pipe(response);
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => {
          const content = Buffer.concat(chunks);
          if (fault === 'damaged') return response.end(Buffer.alloc(content.length, 'not what it says '));
          return response.write(content.subarray(0, content.length >> 1), () => response.destroy());
        });
      },
    );
    forwardedRequest.on('error', () => response.destroy());
    response.on('close', () => forwardedRequest.destroy());
    incomingRequest.pipe(forwardedRequest);
  }
}
