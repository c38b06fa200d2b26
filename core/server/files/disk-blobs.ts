import { createWriteStream } from 'node:fs';
import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkedByRoom, type DiskSpaceMonitor } from '../kernel/disk-space.ts';
import {
  asReadable,
  BlobNotFoundError,
  forEachEntry,
  Meter,
  summarize,
  type BlobStore,
  type BlobSummary,
} from './blob-store.ts';
import type { ByteRange, FolderEntry, StoredPart } from './file-store.ts';
import { flushFolder } from './flush-folder.ts';

const writesAtOnce = 8;

/** Blobs in a folder: written to `incoming/<id>`, flushed to the disk, then renamed to `<first two digits>/<id>`. */
export class DiskBlobs implements BlobStore {
  readonly #folder: string;
  readonly #disk: DiskSpaceMonitor | undefined;

  /** `disk`: throws `diskFull` if there is no room. */
  constructor(folder: string, disk?: DiskSpaceMonitor) {
    this.#folder = folder;
    this.#disk = disk;
  }

  async write(id: string, content: Readable | Uint8Array): Promise<BlobSummary> {
    const incoming = await this.#incoming(id);
    const meter = new Meter();
    const target = createWriteStream(incoming, { flags: 'wx', flush: true });
    await (this.#disk
      ? pipeline(asReadable(content), meter, checkedByRoom(this.#disk.roomCheck()), target)
      : pipeline(asReadable(content), meter, target));
    await this.#publish(id, incoming);
    return meter.summary();
  }

  async writeFolder(
    id: string,
    entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>,
  ): Promise<readonly StoredPart[]> {
    const incoming = await this.#incoming(id);
    await mkdir(incoming);
    const folders = new Set([incoming]);
    const checkRoom = this.#disk?.roomCheck();
    const parts = await forEachEntry(entries, writesAtOnce, async (entry): Promise<StoredPart> => {
      await checkRoom?.(entry.content.length);
      const target = path.join(incoming, entry.path);
      const folder = path.dirname(target);
      await mkdir(folder, { recursive: true });
      folders.add(folder);
      const file = await open(target, 'wx');
      try {
        await file.writeFile(entry.content);
        await file.sync();
      } finally {
        await file.close();
      }
      return { path: entry.path, ...summarize(entry.content) };
    });
    await forEachEntry(folders, writesAtOnce, flushFolder);
    await this.#publish(id, incoming);
    return parts;
  }

  async read(id: string, part: string | undefined, range: ByteRange | undefined): Promise<Readable> {
    const file = await open(
      part === undefined ? this.#place(id) : path.join(this.#place(id), part),
      constants.O_RDONLY | constants.O_NOFOLLOW,
    ).catch((error: unknown) => {
      throw isAbsence(error)
        ? new BlobNotFoundError(`The file '${id}' is not in ${this.#folder}.`, { cause: error })
        : error;
    });
    return file.createReadStream(range === undefined ? {} : { start: range.start, end: range.end });
  }

  async remove(id: string): Promise<void> {
    await rm(path.join(this.#folder, 'incoming', id), { recursive: true, force: true });
    await rm(this.#place(id), { recursive: true, force: true });
  }

  async check(): Promise<void> {
    await mkdir(this.#folder, { recursive: true }).then(
      () => access(this.#folder, constants.W_OK),
      (error: unknown) => {
        throw new Error(
          `The folder of files, ${this.#folder}, cannot be made. Check who owns the folder above, or set ` +
            'WALKDOWN_DATA to another.',
          { cause: error },
        );
      },
    );
  }

  close(): void {}

  async #incoming(id: string): Promise<string> {
    const folder = path.join(this.#folder, 'incoming');
    await mkdir(folder, { recursive: true });
    return path.join(folder, id);
  }

  /** A rename is atomic, and durable once the folder is flushed. */
  async #publish(id: string, incoming: string): Promise<void> {
    const place = this.#place(id);
    const shard = path.dirname(place);
    if ((await mkdir(shard, { recursive: true })) !== undefined) await flushFolder(this.#folder);
    await rename(incoming, place);
    await flushFolder(shard);
  }

  #place(id: string): string {
    return path.join(this.#folder, id.slice(0, 2), id);
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
