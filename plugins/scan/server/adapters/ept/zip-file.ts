import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import type { ByteSource } from '../byte-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';

const maxEntries = 500_000;
const maxEntryBytes = 256 << 20;
const chunkBytes = 1 << 20;

class SourceReader extends RandomAccessReader {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    super();
    this.#source = source;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const source = this.#source;
    return Readable.from(
      (async function* () {
        for (let at = start; at < end; at += chunkBytes) yield source.read(at, Math.min(chunkBytes, end - at));
      })(),
    );
  }
}

/** The files in a ZIP file, which are read one at a time. */
export interface ZipArchive {
  readonly names: readonly string[];
  /** Undefined if the file does not exist. Throws `ScanUnreadable`, also if it is larger than `maxBytes`. */
  read(name: string, maxBytes?: number): Promise<Buffer | undefined>;
}

/** Opens a ZIP file. Throws `ScanUnreadable`. */
export async function openZip(source: ByteSource): Promise<ZipArchive> {
  const entries = new Map<string, Entry>();
  const zip = await openEntries(source, entries).catch((error: unknown) => {
    throw error instanceof ScanUnreadable ? error : new ScanUnreadable('scan.refused.zip', {}, { cause: error });
  });
  return {
    names: [...entries.keys()],
    read: async (name, maxBytes = maxEntryBytes) => {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      if (entry.uncompressedSize > maxBytes)
        throw new ScanUnreadable('scan.refused.zipLargeEntry', { name, megabytes: maxBytes / 1024 ** 2 });
      try {
        return await buffer(await zip.openReadStreamPromise(entry));
      } catch (cause) {
        throw new ScanUnreadable('scan.refused.zipEntry', { name }, { cause });
      }
    },
  };
}

async function openEntries(source: ByteSource, entries: Map<string, Entry>): Promise<ZipFile> {
  const zip = await fromRandomAccessReaderPromise(new SourceReader(source), source.size, {
    lazyEntries: true,
    autoClose: false,
    validateEntrySizes: true,
  });
  for await (const entry of zip.eachEntry()) {
    if (entries.size >= maxEntries) throw new ScanUnreadable('scan.refused.zipTooMuch', { most: maxEntries });
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
  }
  return zip;
}
