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
  readonly #output: Promise<void>;

  constructor(file: string) {
    this.#file = file;
    this.#output = pipeline(
      this.#pack,
      createGzip({ level: 4 }),
      createWriteStream(this.#temporaryFile, { flush: true, mode: 0o600 }),
    );
    // `finish` and the entries report the error. This prevents an unhandled rejection.
    this.#output.catch(() => undefined);
  }

  get #temporaryFile(): string {
    return `${this.#file}.unfinished`;
  }

  /** The entries added so far. */
  get entries(): Readonly<Record<string, BlobSummary>> {
    return this.#entries;
  }

  async addText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    await this.#waitForEntry(
      new Promise<void>((resolve, reject) =>
        this.#pack.entry({ name, size: bytes.length }, bytes, (error) => (error ? reject(error) : resolve())),
      ),
    );
    this.#entries[name] = summarize(bytes);
  }

  /** Rejects if the stream's length differs from `size`. */
  async addStream(name: string, size: number, content: Readable): Promise<BlobSummary> {
    const meter = new Meter();
    const entryWritten = new Promise<void>((resolve, reject) => {
      const sink = this.#pack.entry({ name, size }, (error) => (error ? reject(error) : resolve()));
      pipeline(content, meter, sink).catch(reject);
    });
    await this.#waitForEntry(entryWritten);
    const summary = meter.toSummary();
    this.#entries[name] = summary;
    return summary;
  }

  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#output;
    await rename(this.#temporaryFile, this.#file);
    await flushFolder(path.dirname(this.#file));
  }

  async abandon(): Promise<void> {
    this.#pack.destroy();
    await this.#output.catch(() => undefined);
    await rm(this.#temporaryFile, { force: true });
  }

  /** Rejects with the error of the archive too, because a full disk fails the archive but not the entry. */
  async #waitForEntry(entryWritten: Promise<void>): Promise<void> {
    try {
      await Promise.race([entryWritten, this.#output]);
    } catch (error) {
      if (this.#pack.destroyed) await this.#output;
      throw error;
    }
  }
}
