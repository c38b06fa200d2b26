import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A network fault. `cut`: breaks the connection in the middle of the body; `reset`: before the first byte; `damaged`:
 * sends wrong bytes of the right length; a number: answers with this status.
 */
export type Fault = 'cut' | 'reset' | 'damaged' | number;

/** A proxy between browser and server that injects faults into requests of pages and workers. */
export class FaultyLine {
  /** Number of responses affected by each fault. */
  readonly spoilt = new Map<Fault, number>();
  readonly #faults = new Map<RegExp, Fault>();
  readonly #elsewhere = new Map<RegExp, URL>();
  /** Keeps idle connections open. Closing one while it is reused would be an unintended fault. */
  readonly #server = createServer({ keepAliveTimeout: 0 }, (incoming, answer) => this.#pass(incoming, answer));
  readonly #to: URL;

  private constructor(to: string) {
    this.#to = new URL(to);
  }

  static async before(address: string): Promise<FaultyLine> {
    const line = new FaultyLine(address);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forwards matching paths to another server. */
  divert(path: RegExp, to: string): void {
    this.#elsewhere.set(path, new URL(to));
  }

  /** The last matching fault applies. */
  spoil(path: RegExp, fault: Fault): void {
    this.#faults.delete(path);
    this.#faults.set(path, fault);
  }

  mend(): void {
    this.#faults.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const fault = [...this.#faults].findLast(([path]) => path.test(incoming.url ?? ''))?.[1];
    if (fault !== undefined) this.spoilt.set(fault, (this.spoilt.get(fault) ?? 0) + 1);
    if (fault === 'reset') return void incoming.socket.destroy();
    if (typeof fault === 'number')
      return void answer
        .writeHead(fault, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify({ code: 'E000', message: 'The line is faulty.', reference: 'faulty' }));
    const to = [...this.#elsewhere].find(([path]) => path.test(incoming.url ?? ''))?.[1] ?? this.#to;
    const { 'if-none-match': _, ...unconditional } = incoming.headers;
    const headers = {
      ...(fault ? { ...unconditional, 'accept-encoding': 'identity' } : incoming.headers),
      host: to.host,
    };
    const passed = request(
      { hostname: to.hostname, port: to.port, path: incoming.url, method: incoming.method, headers },
      (reply) => {
        answer.writeHead(
          reply.statusCode ?? 502,
          fault ? { ...reply.headers, 'cache-control': 'no-store' } : reply.headers,
        );
        if (!fault) return void reply.pipe(answer);
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => {
          const content = Buffer.concat(chunks);
          if (fault === 'damaged') return answer.end(Buffer.alloc(content.length, 'not what it says '));
          return answer.write(content.subarray(0, content.length >> 1), () => answer.destroy());
        });
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }
}
