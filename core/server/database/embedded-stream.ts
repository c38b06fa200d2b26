import { Duplex } from 'node:stream';
import type { EmbeddedServer } from './embedded-server.ts';
import type { EmbeddedThread } from './embedded-thread.ts';

const messageTypes = {
  authentication: 0x52,
  readyForQuery: 0x5a,
  sync: 0x53,
  query: 0x51,
  flush: 0x48,
  terminate: 0x58,
} as const;

/** The server's messages AuthenticationOk and ReadyForQuery (idle) for a connection without a password. */
const welcomeMessages = Buffer.from([
  messageTypes.authentication,
  0,
  0,
  0,
  8,
  0,
  0,
  0,
  0,
  messageTypes.readyForQuery,
  0,
  0,
  0,
  5,
  0x49,
]);

/**
 * Replaces the socket of a `pg` client, so that the embedded database uses the same driver as a PostgreSQL server, with
 * equal types, errors and counts. Buffers protocol messages until one of them requires an answer (Sync, Query, Flush),
 * and sends them together.
 */
export class EmbeddedStream extends Duplex {
  readonly #threads: Pick<EmbeddedServer, 'getThread'>;
  /** Undefined until the stream is connected. */
  #thread: EmbeddedThread | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #isWelcomed = false;
  readonly #handleBroken = (error: Error): void => void this.destroy(error);

  constructor(threads: Pick<EmbeddedServer, 'getThread'>) {
    super();
    this.#threads = threads;
  }

  connect(): this {
    this.#connect().then(
      () => this.emit('connect'),
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    return this;
  }

  async #connect(): Promise<void> {
    const thread = await this.#threads.getThread();
    if (this.destroyed) return;
    this.#thread = thread;
    thread.once('broken', this.#handleBroken);
    await thread.reset();
  }

  override _destroy(error: Error | null, finish: (error?: Error | null) => void): void {
    this.#thread?.off('broken', this.#handleBroken);
    finish(error);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Bytes are pushed as they arrive.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, finish: (error?: Error | null) => void): void {
    if (!this.#isWelcomed) {
      this.#isWelcomed = true;
      this.push(welcomeMessages);
      finish();
      return;
    }
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const { answerableBytes, terminated } = this.#findAnswerable();
    if (terminated) this.push(null);
    if (answerableBytes === 0 || terminated) {
      finish();
      return;
    }
    const bytes = this.#pending.subarray(0, answerableBytes);
    this.#pending = this.#pending.subarray(answerableBytes);
    this.#exchange(bytes).then(
      (chunks) => {
        for (const { buffer, byteOffset, byteLength } of chunks) this.push(Buffer.from(buffer, byteOffset, byteLength));
        finish();
      },
      (error: unknown) => finish(error instanceof Error ? error : new Error(String(error))),
    );
  }

  async #exchange(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    if (!this.#thread) throw new Error('The embedded database is not connected.');
    return this.#thread.exchange(bytes);
  }

  /** Finds the length of the complete messages up to the last one that requires an answer. */
  #findAnswerable(): { readonly answerableBytes: number; readonly terminated: boolean } {
    let offset = 0;
    let answerableBytes = 0;
    while (offset + 5 <= this.#pending.length) {
      const type = this.#pending[offset];
      const end = offset + 1 + this.#pending.readInt32BE(offset + 1);
      if (end > this.#pending.length) break;
      if (type === messageTypes.terminate) return { answerableBytes, terminated: true };
      if (type === messageTypes.sync || type === messageTypes.query || type === messageTypes.flush)
        answerableBytes = end;
      offset = end;
    }
    return { answerableBytes, terminated: false };
  }
}
