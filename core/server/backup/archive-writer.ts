import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import { Meter, summarize, type BlobSummary } from '../files/blob-store.ts';
import { flushFolder } from '../files/flush-folder.ts';

/** Writes a gzipped tar archive to a temporary file and renames it once it is complete and on the disk. */
export class ArchiveWriter {
  readonly #file: string;
  readonly #pack: Pack = pack();
  readonly #entries: Record<string, BlobSummary> = {};
  readonly #written: Promise<void>;

  constructor(file: string) {
    this.#file = file;
    this.#written = pipeline(
      this.#pack,
      createGzip({ level: 4 }),
      createWriteStream(this.#unfinished, { flush: true, mode: 0o600 }),
    );
    // `finish` and the entries report the error; this prevents an unhandled rejection.
    this.#written.catch(() => undefined);
  }

  get #unfinished(): string {
    return `${this.#file}.unfinished`;
  }

  /** The entries added so far. */
  get entries(): Readonly<Record<string, BlobSummary>> {
    return this.#entries;
  }

  async addText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#orFailure(
      new Promise<void>((resolve, reject) =>
        this.#pack.entry({ name, size: bytes.length }, bytes, (error) => (error ? reject(error) : resolve())),
      ),
    );
    this.#entries[name] = summarize(bytes);
  }

  /** Rejects if the stream's length differs from `size`. */
  async addStream(name: string, size: number, content: Readable): Promise<BlobSummary> {
    const meter = new Meter();
    const ended = new Promise<void>((resolve, reject) => {
      const sink = this.#pack.entry({ name, size }, (error) => (error ? reject(error) : resolve()));
      pipeline(content, meter, sink).catch(reject);
    });
    await this.#orFailure(ended);
    const summary = meter.summary();
    this.#entries[name] = summary;
    return summary;
  }

  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#written;
    await rename(this.#unfinished, this.#file);
    await flushFolder(path.dirname(this.#file));
  }

  async abandon(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => undefined);
    await rm(this.#unfinished, { force: true });
  }

  /** A full disk fails the archive, not the entry: whoever awaits an entry must get the error too. */
  async #orFailure(step: Promise<void>): Promise<void> {
    try {
      await Promise.race([step, this.#written]);
    } catch (error) {
      if (this.#pack.destroyed) await this.#written;
      throw error;
    }
  }
}
