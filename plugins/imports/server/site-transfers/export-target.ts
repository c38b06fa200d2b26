import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import type { ExportedContent } from '#core/server';

/** The folder or ZIP file to which an export is written, file by file. */
export interface ExportTarget {
  /** Resolves when the bytes are written. */
  write(name: string, content: Readable): Promise<void>;
}

export const createFolderTarget = (folder: string): ExportTarget => ({
  write: async (name, content) => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(content, createWriteStream(file, { flags: 'wx' }));
  },
});

/**
 * A ZIP file that is written while it is read. Files that are compressed already, such as pictures, are not compressed
 * again.
 */
export class ZipTarget implements ExportTarget {
  readonly #zip = new yazl.ZipFile();
  readonly output = new PassThrough();
  #entry: PassThrough | undefined;

  constructor() {
    this.#zip.outputStream.pipe(this.output);
    this.#zip.on('error', (error) => this.fail(error instanceof Error ? error : new Error(String(error))));
  }

  async write(name: string, content: Readable): Promise<void> {
    const entry = new PassThrough();
    this.#entry = entry;
    this.#zip.addReadStream(entry, name, {
      mtime: entryTime,
      compress: /\.(?:json|csv|txt)$/.test(name),
      // The size of a stream is not known in advance, and scans may exceed 4 GB.
      forceZip64Format: !/\.(?:json|txt)$/.test(name),
    });
    await pipeline(content, entry);
  }

  end(): void {
    this.#zip.end();
  }

  fail(error: Error): void {
    this.#entry?.destroy(error);
    this.output.destroy(error);
  }
}

/** A fixed time, so that equal data give equal bytes. */
const entryTime = new Date(2020, 0, 1);

export const toReadable = (content: ExportedContent): Readable =>
  content instanceof Readable
    ? content
    : Readable.from(typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content, {
        objectMode: false,
      });

/** Passes bytes through. `result` returns their number and SHA-256 at the end. */
export function createHashingStream(): { readonly stream: Transform; result(): { bytes: number; sha256: string } } {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, finish) {
      hash.update(chunk);
      bytes += chunk.length;
      finish(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}
