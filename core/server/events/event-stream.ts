import type { ServerResponse } from 'node:http';

/** A client with more unread data is disconnected. It reconnects and receives the missed events. */
const maxUnreadBytes = 1024 * 1024;

/** One open response of `GET /api/events`. */
export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** `headers` are the headers of all responses. */
  begin(headers: Readonly<Record<string, number | string | string[] | undefined>>): void {
    this.#response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    this.#response.write('retry: 1000\n\n');
  }

  send(id: string, topic: string, data: string): void {
    this.#write(`id: ${id}\nevent: ${topic}\ndata: ${data}\n\n`);
  }

  sendHeartbeat(): void {
    this.#write(':\n\n');
  }

  end(): void {
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    this.#response.write(text);
    if (this.#response.writableLength > maxUnreadBytes) this.#response.destroy();
  }
}
