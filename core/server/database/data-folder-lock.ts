import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getPidNamespace, readStartTime } from './process-identity.ts';

interface Holder {
  readonly pid: number;
  readonly startTime: string;
  /** The namespace of the pid, from `getPidNamespace`. The name of this field is part of the file format. */
  readonly place: string;
  readonly nonce: string;
}

const heartbeatIntervalMs = 2000;
const maxSilenceMs = 15_000;

/**
 * Allows only one process at a time to use a folder, with a lock file (`<folder>.lock`) that names its holder. The lock
 * of a dead holder is taken over atomically, with a hard link `<folder>.lock.after-<nonce>` that only one process can
 * create. If this process dies midway, its lock is taken over in the same way.
 */
export class DataFolderLock {
  readonly #file: string;
  readonly #nonce: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(file: string, nonce: string) {
    this.#file = file;
    this.#nonce = nonce;
    this.#timer = setInterval(() => saveHeartbeat(file), heartbeatIntervalMs).unref();
  }

  /**
   * Waits for the heartbeat of a holder that is in another container or on another machine.
   *
   * @throws an error for operators that names the other process
   */
  static async acquire(folder: string): Promise<DataFolderLock> {
    const file = `${folder}.lock`;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const holder: Holder = {
      pid: process.pid,
      startTime: readStartTime(process.pid) ?? '',
      place: getPidNamespace(),
      nonce: randomUUID(),
    };
    const candidateFile = `${file}.new-${holder.nonce}`;
    try {
      fs.writeFileSync(candidateFile, JSON.stringify(holder), { mode: 0o600, flush: true });
      while (!(await tryAcquire(folder, file, candidateFile, holder.place)));
      return new DataFolderLock(file, holder.nonce);
    } finally {
      fs.rmSync(candidateFile, { force: true });
    }
  }

  release(): void {
    clearInterval(this.#timer);
    if (readHolder(this.#file)?.nonce === this.#nonce) fs.rmSync(this.#file, { force: true });
  }
}

/** Tries to acquire the lock once. Returns false if another process changed the lock at the same time. */
async function tryAcquire(folder: string, file: string, candidateFile: string, namespace: string): Promise<boolean> {
  if (createLink(candidateFile, file)) return true;
  const namedHolder = readHolder(file);
  if (!namedHolder) return false;
  const lastHolder = findLastSuccessor(file, namedHolder);
  if (!(await isHolderDead(folder, file, lastHolder, namespace))) return false;
  const claim = `${file}.after-${lastHolder.nonce}`;
  if (!createLink(candidateFile, claim)) return false;
  if (readHolder(file)?.nonce !== namedHolder.nonce) {
    fs.rmSync(claim, { force: true });
    return false;
  }
  fs.renameSync(candidateFile, file);
  removeSuccessors(file);
  return true;
}

/** Returns false if the lock changed while it was watched. */
async function isHolderDead(folder: string, file: string, holder: Holder, namespace: string): Promise<boolean> {
  if (holder.place === namespace) {
    if (readStartTime(holder.pid) !== holder.startTime) return true;
    throw createInUseError(
      folder,
      holder.pid === process.pid ? 'by this very process' : `by the process ${holder.pid}`,
    );
  }
  const touchedAt = readTouchedAt(file);
  for (let waitedMs = 0; waitedMs < maxSilenceMs; waitedMs += heartbeatIntervalMs / 4) {
    await pause(heartbeatIntervalMs / 4);
    const now = readTouchedAt(file);
    if (now === undefined) return false;
    if (now !== touchedAt)
      throw createInUseError(folder, `by the process ${holder.pid} in another container or on another machine`);
  }
  return true;
}

function createInUseError(folder: string, holderText: string): Error {
  return new Error(
    `The data folder ${folder} is in use ${holderText}. Stop that process first, or set WALKDOWN_DATA to another folder.`,
  );
}

function findLastSuccessor(file: string, namedHolder: Holder): Holder {
  let lastHolder = namedHolder;
  for (;;) {
    const successor = readHolder(`${file}.after-${lastHolder.nonce}`);
    if (!successor) return lastHolder;
    lastHolder = successor;
  }
}

function removeSuccessors(file: string): void {
  const folder = path.dirname(file);
  const prefix = `${path.basename(file)}.after-`;
  for (const name of fs.readdirSync(folder))
    if (name.startsWith(prefix)) fs.rmSync(path.join(folder, name), { force: true });
}

function createLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(file: string): Holder | undefined {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const read: Partial<Holder> = JSON.parse(text);
    const { pid, startTime, place, nonce } = read;
    if (
      typeof pid === 'number' &&
      typeof startTime === 'string' &&
      typeof place === 'string' &&
      typeof nonce === 'string'
    )
      return { pid, startTime, place, nonce };
  } catch {
    // Throws the error below.
  }
  throw new Error(
    `${file} is damaged: it is not a lock file of this product. Make sure that no process uses the folder, then remove ` +
      'this file.',
  );
}

function saveHeartbeat(file: string): void {
  const now = new Date();
  // Fails if the lock was removed or taken over, which is not an error.
  fs.utimes(file, now, now, () => undefined);
}

function readTouchedAt(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
