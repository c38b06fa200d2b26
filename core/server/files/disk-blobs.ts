import { createWriteStream } from 'node:fs';
import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createSpaceCheckStream, type DiskSpaceMonitor } from '../kernel/disk-space.ts';
import {
  toReadable,
  BlobNotFoundError,
  forEachEntry,
  Meter,
  summarize,
  type BlobStore,
  type BlobSummary,
} from './blob-store.ts';
import type { ByteRange, FolderEntry, StoredEntry } from './file-store.ts';
import { flushFolder } from './flush-folder.ts';

const maxConcurrentWrites = 8;

/** Stores blobs in a folder. Writes to `incoming/<id>`, flushes, and renames to `<first two digits>/<id>`. */
export class DiskBlobs implements BlobStore {
  readonly #folder: string;
  readonly #disk: DiskSpaceMonitor | undefined;

  /** With `disk`, writes fail with `diskFull` if there is not enough space. */
  constructor(folder: string, disk?: DiskSpaceMonitor) {
    this.#folder = folder;
    this.#disk = disk;
  }

  async write(id: string, content: Readable | Uint8Array): Promise<BlobSummary> {
    const incomingPath = await this.#prepareIncoming(id);
    const meter = new Meter();
    const target = createWriteStream(incomingPath, { flags: 'wx', flush: true });
    await (this.#disk
      ? pipeline(toReadable(content), meter, createSpaceCheckStream(this.#disk.createSpaceCheck()), target)
      : pipeline(toReadable(content), meter, target));
    await this.#publish(id, incomingPath);
    return meter.toSummary();
  }

  async writeFolder(
    id: string,
    entries: AsyncIterable<FolderEntry> | Iterable<FolderEntry>,
  ): Promise<readonly StoredEntry[]> {
    const incomingPath = await this.#prepareIncoming(id);
    await mkdir(incomingPath);
    const folders = new Set([incomingPath]);
    const checkSpace = this.#disk?.createSpaceCheck();
    const storedEntries = await forEachEntry(entries, maxConcurrentWrites, async (entry): Promise<StoredEntry> => {
      await checkSpace?.(entry.content.length);
      const target = path.join(incomingPath, entry.path);
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
    await forEachEntry(folders, maxConcurrentWrites, flushFolder);
    await this.#publish(id, incomingPath);
    return storedEntries;
  }

  async read(id: string, entryPath: string | undefined, range: ByteRange | undefined): Promise<Readable> {
    const file = await open(
      entryPath === undefined ? this.#getPath(id) : path.join(this.#getPath(id), entryPath),
      constants.O_RDONLY | constants.O_NOFOLLOW,
    ).catch((error: unknown) => {
      throw isNotFound(error)
        ? new BlobNotFoundError(`The file '${id}' is not in ${this.#folder}.`, { cause: error })
        : error;
    });
    return file.createReadStream(range === undefined ? {} : { start: range.start, end: range.end });
  }

  async remove(id: string): Promise<void> {
    await rm(path.join(this.#folder, 'incoming', id), { recursive: true, force: true });
    await rm(this.#getPath(id), { recursive: true, force: true });
  }

  async check(): Promise<void> {
    await mkdir(this.#folder, { recursive: true }).then(
      () => access(this.#folder, constants.W_OK),
      (error: unknown) => {
        throw new Error(
          `The file folder ${this.#folder} cannot be created. Check the permissions of its parent folder, or set ` +
            'WALKDOWN_DATA to another folder.',
          { cause: error },
        );
      },
    );
  }

  close(): void {}

  async #prepareIncoming(id: string): Promise<string> {
    const folder = path.join(this.#folder, 'incoming');
    await mkdir(folder, { recursive: true });
    return path.join(folder, id);
  }

  /** A rename is atomic, and durable once the folder is flushed. */
  async #publish(id: string, incomingPath: string): Promise<void> {
    const target = this.#getPath(id);
    const shard = path.dirname(target);
    if ((await mkdir(shard, { recursive: true })) !== undefined) await flushFolder(this.#folder);
    await rename(incomingPath, target);
    await flushFolder(shard);
  }

  #getPath(id: string): string {
    return path.join(this.#folder, id.slice(0, 2), id);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
