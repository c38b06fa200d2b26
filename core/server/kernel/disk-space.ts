import { statfs } from 'node:fs/promises';
import { Transform } from 'node:stream';
import type { Logger } from 'pino';
import { coreRefusal } from '#core/api';
import { DatabaseFullError } from './database-error.ts';
import { unavailable } from './server-error.ts';
import type { ServerConfig } from './server-config.ts';

const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);
/** A writer checks the disk again after so many bytes. */
const bytesBetweenChecks = 16 * 1024 * 1024;

/** Whether an error means that a disk or a quota is full. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof DatabaseFullError || ('code' in cause && fullCodes.has(cause.code))) return true;
  return false;
}

/** 503 E010, with a message for screens. */
export const diskFull = (cause?: unknown) => unavailable(coreRefusal('core.refused.diskFull'), cause);

/**
 * Called before so many bytes are written.
 *
 * @throws `diskFull` if there is no room
 */
export type RoomCheck = (bytes: number) => Promise<void>;

/** A pass-through stream that fails if there is no room. */
export const checkedByRoom = (check: RoomCheck): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      check(chunk.length).then(() => done(null, chunk), done);
    },
  });

/**
 * Checks the free space of the data folders. Keeps a reserve for the database: files are refused while the database can
 * still write.
 */
export class DiskSpaceMonitor {
  readonly #folders: readonly string[];
  readonly #reserve: number;
  readonly #log: Logger;
  #isFull = false;

  /** `reserve` in bytes; 0 disables the checks. */
  constructor(folders: readonly string[], reserve: number, log: Logger) {
    this.#folders = folders;
    this.#reserve = reserve;
    this.#log = log;
  }

  /** Whether so many more bytes leave the reserve intact. */
  async hasRoom(bytes = 0): Promise<boolean> {
    if (this.#reserve === 0) return true;
    for (const folder of this.#folders) {
      const free = await findFreeBytes(folder);
      if (free === undefined) continue;
      if (free < this.#reserve) this.#logFull(folder, free);
      if (free < this.#reserve + bytes) return false;
    }
    this.#logRoom();
    return true;
  }

  /** @throws `diskFull` */
  async assertRoom(bytes = 0): Promise<void> {
    if (!(await this.hasRoom(bytes))) throw diskFull();
  }

  /** A check for one writer: at its first byte, and again after every `bytesBetweenChecks` bytes. */
  roomCheck(): RoomCheck {
    let left = 0;
    return async (bytes) => {
      left -= bytes;
      if (left >= 0) return;
      await this.assertRoom(bytes);
      left = bytesBetweenChecks;
    };
  }

  #logFull(folder: string, freeBytes: number): void {
    if (this.#isFull) return;
    this.#isFull = true;
    this.#log.error(
      { folder, freeBytes, reserveBytes: this.#reserve },
      'The disk of the data is full: uploads are refused and jobs wait. Make room, or give it a larger disk; work goes ' +
        'on by itself then.',
    );
  }

  #logRoom(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#log.info('The disk of the data has room again.');
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

/** Undefined if the folder does not exist, or its file system does not tell. */
async function findFreeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found && found.blocks > 0 ? found.bavail * found.bsize : undefined;
}
