import { statfs } from 'node:fs/promises';
import { Transform } from 'node:stream';
import type { Logger } from 'pino';
import { coreRefusal } from '#core/api';
import { DatabaseFullError } from './database-error.ts';
import { unavailable } from './server-error.ts';
import type { ServerConfig } from './server-config.ts';

const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
const bytesBetweenChecks = 16 * 1024 * 1024;

/** Whether an error means that a disk or a quota is full. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof DatabaseFullError || ('code' in cause && fullCodes.has(cause.code))) return true;
  return false;
}

/** 503 E010, with a message for the user. */
export const diskFull = (cause?: unknown) => unavailable(coreRefusal('core.refused.diskFull'), cause);

/**
 * Called before `bytes` bytes are written.
 *
 * @throws `diskFull` if there is not enough space
 */
export type SpaceCheck = (bytes: number) => Promise<void>;

/** Creates a pass-through stream that fails if there is not enough space. */
export const createSpaceCheckStream = (check: SpaceCheck): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, finish) {
      check(chunk.length).then(() => finish(null, chunk), finish);
    },
  });

/**
 * Checks the free space of the data folders. Keeps a reserve for the database: once only the reserve is free, files are
 * refused, but the database can still write.
 */
export class DiskSpaceMonitor {
  readonly #folders: readonly string[];
  readonly #reserveBytes: number;
  readonly #log: Logger;
  #isFull = false;

  /** `reserveBytes` is the space that stays free for the database. 0 disables the checks. */
  constructor(folders: readonly string[], reserveBytes: number, log: Logger) {
    this.#folders = folders;
    this.#reserveBytes = reserveBytes;
    this.#log = log;
  }

  /** Whether the reserve would still be free after writing `bytes` more bytes. */
  async hasSpace(bytes = 0): Promise<boolean> {
    if (this.#reserveBytes === 0) return true;
    for (const folder of this.#folders) {
      const freeBytes = await findFreeBytes(folder);
      if (freeBytes === undefined) continue;
      if (freeBytes < this.#reserveBytes) this.#logDiskFull(folder, freeBytes);
      if (freeBytes < this.#reserveBytes + bytes) return false;
    }
    this.#logSpaceAvailable();
    return true;
  }

  /** @throws `diskFull` */
  async assertSpace(bytes = 0): Promise<void> {
    if (!(await this.hasSpace(bytes))) throw diskFull();
  }

  /** Creates a check for one writer. It runs at the first byte, and again after every `bytesBetweenChecks` bytes. */
  createSpaceCheck(): SpaceCheck {
    let remainingBytes = 0;
    return async (bytes) => {
      remainingBytes -= bytes;
      if (remainingBytes >= 0) return;
      await this.assertSpace(bytes);
      remainingBytes = bytesBetweenChecks;
    };
  }

  #logDiskFull(folder: string, freeBytes: number): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#log.error(
      { folder, freeBytes, reserveBytes: this.#reserveBytes },
      'The data disk is full, so uploads are refused and jobs wait. Free some space or use a larger disk. Uploads and ' +
        'jobs then continue.',
    );
  }

  #logSpaceAvailable(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#log.info('The data disk has free space again.');
  }
}

/** Monitors all folders on local disks in which this configuration stores data. */
export function createDiskSpaceMonitor(
  { dataFolder, database, files, limits }: ServerConfig,
  log: Logger,
): DiskSpaceMonitor {
  const folders = new Set([dataFolder]);
  if (database.kind === 'embedded' && database.folder !== 'memory') folders.add(database.folder);
  if (files.kind === 'disk') folders.add(files.folder);
  return new DiskSpaceMonitor([...folders], limits.diskReserveBytes, log);
}

/** Undefined if the folder does not exist, or if its file system reports no size. */
async function findFreeBytes(folder: string): Promise<number | undefined> {
  const stats = await statfs(folder).catch(() => undefined);
  return stats && stats.blocks > 0 ? stats.bavail * stats.bsize : undefined;
}
