import { execFileSync, type ChildProcess, type ForkOptions } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** A file system for one process. It can be filled completely, and disappears with the process. */
export interface SmallDisk {
  /** An existing folder at which the process sees the disk. Its content is copied to the disk. */
  readonly folder: string;
  readonly megabytes: number;
}

const mount = 'mount -t tmpfs -o "size=$1m" walkdown /mnt && cp -R "$0/." /mnt/ && mount --move /mnt "$0"';

/** Explains why this account cannot mount a separate file system; undefined if it can. */
export function describeSmallDiskProblem(): string | undefined {
  try {
    execFileSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=1m walkdown /mnt'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this account cannot mount a separate file system (unshare -Urm)';
  }
}

/** Options of `fork` that run Node with a small disk. The process id stays the same. */
export function toSmallDiskOptions({ folder, megabytes }: SmallDisk, execArgv: readonly string[]): ForkOptions {
  const start = `${mount} && shift && exec "$@"`;
  return {
    execPath: 'unshare',
    execArgv: ['-Urm', 'sh', '-c', start, folder, String(megabytes), process.execPath, ...execArgv],
  };
}

/** The path by which other processes reach the disk of a process. */
export const getSmallDiskPath = ({ pid }: ChildProcess, { folder }: SmallDisk): string =>
  path.join('/proc', String(pid), 'root', folder);

/** Fills a file system up to `leftBytes` (default: none). Returns a function that empties it. */
export function fillDisk(folder: string, leftBytes = 0): () => void {
  const file = path.join(folder, 'filler');
  const descriptor = fs.openSync(file, 'a');
  const block = Buffer.alloc(256 * 1024, 1);
  try {
    for (;;) {
      const { bavail, bsize } = fs.statfsSync(folder);
      const bytes = Math.min(block.length, bavail * bsize - leftBytes);
      if (bytes <= 0) break;
      fs.writeSync(descriptor, block, 0, bytes);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    fs.closeSync(descriptor);
  }
  return () => fs.rmSync(file);
}
