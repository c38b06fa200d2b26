import { Duplex } from 'node:stream';
import type { EmbeddedServer } from './embedded-server.ts';
import type { EmbeddedThread } from './embedded-thread.ts';

const message = {
  authentication: 0x52,
  readyForQuery: 0x5a,
  sync: 0x53,
  query: 0x51,
  flush: 0x48,
  terminate: 0x58,
} as const;

/** The server's messages for a connection without a password: AuthenticationOk, ReadyForQuery (idle). */
const welcome = Buffer.from([message.authentication, 0, 0, 0, 8, 0, 0, 0, 0, message.readyForQuery, 0, 0, 0, 5, 0x49]);

/**
 * Replaces the socket of a `pg` client, so that the embedded database uses the same driver as a PostgreSQL server, with
 * equal types, errors and counts. Buffers protocol messages up to one that requires an answer (Sync, Query, Flush) and
 * sends them as one.
 */
export class EmbeddedStream extends Duplex {
  readonly #server: EmbeddedServer;
  /** Defined after connecting. */
  #thread: EmbeddedThread | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #welcomed = false;
  readonly #handleBroken = (error: Error): void => void this.destroy(error);

  constructor(server: EmbeddedServer) {
    super();
    this.#server = server;
  }

  connect(): this {
    this.#connect().then(
      () => this.emit('connect'),
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    return this;
  }

  async #connect(): Promise<void> {
    const thread = await this.#server.thread();
    if (this.destroyed) return;
    this.#thread = thread;
    thread.once('broken', this.#handleBroken);
    await thread.reset();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#thread?.off('broken', this.#handleBroken);
    done(error);
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

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.#welcomed) {
      this.#welcomed = true;
      this.push(welcome);
      done();
      return;
    }
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const { answerable, terminated } = this.#scan();
    if (terminated) this.push(null);
    if (answerable === 0 || terminated) {
      done();
      return;
    }
    const bytes = this.#pending.subarray(0, answerable);
    this.#pending = this.#pending.subarray(answerable);
    this.#exchange(bytes).then(
      (chunks) => {
        for (const { buffer, byteOffset, byteLength } of chunks) this.push(Buffer.from(buffer, byteOffset, byteLength));
        done();
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }

  async #exchange(bytes: Uint8Array): Promise<readonly Uint8Array[]> {
    if (!this.#thread) throw new Error('The embedded database is not connected.');
    return this.#thread.exchange(bytes);
  }

  /** The length of the complete messages up to the last one that requires an answer. */
  #scan(): { readonly answerable: number; readonly terminated: boolean } {
    let offset = 0;
    let answerable = 0;
    while (offset + 5 <= this.#pending.length) {
      const type = this.#pending[offset];
      const end = offset + 1 + this.#pending.readInt32BE(offset + 1);
      if (end > this.#pending.length) break;
      if (type === message.terminate) return { answerable, terminated: true };
      if (type === message.sync || type === message.query || type === message.flush) answerable = end;
      offset = end;
    }
    return { answerable, terminated: false };
  }
}
