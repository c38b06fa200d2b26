import type { ServerResponse } from 'node:http';
import type { EventSink } from './event-hub.ts';

/**
 * A reader that takes nothing for so long that this much waits for it is cut off; it returns and is given what it
 * missed.
 */
const mostWaiting = 1024 * 1024;

/** One open answer of `GET /api/events`. */
export class EventStream implements EventSink {
  readonly uid: string;
  readonly #response: ServerResponse;

  constructor(uid: string, response: ServerResponse) {
    this.uid = uid;
    this.#response = response;
  }

  /** `headers`: those that every answer has. */
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

  beat(): void {
    this.#write(':\n\n');
  }

  end(): void {
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    this.#response.write(text);
    if (this.#response.writableLength > mostWaiting) this.#response.destroy();
  }
}
