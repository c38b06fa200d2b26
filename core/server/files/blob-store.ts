import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import type { ByteRange, FolderEntry, StoredEntry } from './file-store.ts';

export interface BlobSummary {
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Stores bytes by id (32 hex digits), without names or audiences. Blobs without a row in the database are removed by
 * the cleanup.
 */
export interface BlobStore {
  write(id: string, content: Readable | Uint8Array): Promise<BlobSummary>;
  writeFolder(id: string, entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>): Promise<readonly StoredEntry[]>;
  /**
   * Resolves when the first byte can be read.
   *
   * @throws `BlobNotFoundError`
   */
  read(id: string, entryPath: string | undefined, range: ByteRange | undefined): Promise<Readable>;
  /**
   * Removes the file, or the folder with all entries, even if its write was interrupted. Does nothing for an unknown
   * id.
   */
  remove(id: string): Promise<void>;
  /**
   * Checks that the store can be used.
   *
   * @throws an error for operators if the store cannot be written, such as a folder without permission
   */
  check(): Promise<void>;
  close(): void;
}

export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';
}

/** A pass-through stream that counts and hashes its bytes. */
export class Meter extends Transform {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, finish: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    finish(null, chunk);
  }

  /** Call it once, after the stream ended. */
  toSummary(): BlobSummary {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

export function summarize(content: Uint8Array): BlobSummary {
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

export const toReadable = (content: Readable | Uint8Array): Readable =>
  content instanceof Readable ? content : Readable.from([content], { objectMode: false });

/**
 * Runs `step` for each entry, at most `maxConcurrent` at a time. After a failure it waits for the running steps and
 * rejects with that failure. Results are in the order of the entries.
 */
export async function forEachEntry<T, R>(
  entries: AsyncIterable<T> | Iterable<T>,
  maxConcurrent: number,
  step: (entry: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const runningTasks = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let count = 0;
  try {
    for await (const entry of entries) {
      if (failure !== undefined) break;
      const index = count++;
      const run: Promise<void> = step(entry)
        .then((result) => void (results[index] = result))
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => runningTasks.delete(run));
      runningTasks.add(run);
      if (runningTasks.size >= maxConcurrent) await Promise.race(runningTasks);
    }
  } finally {
    await Promise.all(runningTasks);
  }
  if (failure !== undefined) throw failure.error;
  return results;
}
