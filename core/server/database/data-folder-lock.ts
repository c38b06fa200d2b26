import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getPidNamespace, readStartTime } from './process-identity.ts';

interface Holder {
  readonly pid: number;
  readonly startTime: string;
  readonly place: string;
  readonly nonce: string;
}

const heartbeat = 2000;
const silenceMs = 15_000;

/**
 * Allows one process at a time on a folder, by a lock file (`<folder>.lock`) that names its holder. The lock of a dead
 * holder is taken over atomically, by a hard link `<folder>.lock.after-<nonce>` that only one process can create. A
 * successor that dies midway is taken over in turn.
 */
export class DataFolderLock {
  readonly #file: string;
  readonly #nonce: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(file: string, nonce: string) {
    this.#file = file;
    this.#nonce = nonce;
    this.#timer = setInterval(() => touch(file), heartbeat).unref();
  }

  /**
   * Waits only for a holder in another container or on another machine, to see its heartbeat.
   *
   * @throws a readable error that names the other process
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
    const own = `${file}.new-${holder.nonce}`;
    try {
      fs.writeFileSync(own, JSON.stringify(holder), { mode: 0o600, flush: true });
      while (!(await take(folder, file, own, holder.place)));
      return new DataFolderLock(file, holder.nonce);
    } finally {
      fs.rmSync(own, { force: true });
    }
  }

  release(): void {
    clearInterval(this.#timer);
    if (readHolder(this.#file)?.nonce === this.#nonce) fs.rmSync(this.#file, { force: true });
  }
}

/** One attempt; false if the lock changed meanwhile. */
async function take(folder: string, file: string, own: string, place: string): Promise<boolean> {
  if (linked(own, file)) return true;
  const first = readHolder(file);
  if (!first) return false;
  const last = lastInLine(file, first);
  if (!(await isDead(folder, file, last, place))) return false;
  const claim = `${file}.after-${last.nonce}`;
  if (!linked(own, claim)) return false;
  if (readHolder(file)?.nonce !== first.nonce) {
    fs.rmSync(claim, { force: true });
    return false;
  }
  fs.renameSync(own, file);
  removeLine(file);
  return true;
}

/** False if the lock changed while it was watched. */
async function isDead(folder: string, file: string, holder: Holder, place: string): Promise<boolean> {
  if (holder.place === place) {
    if (readStartTime(holder.pid) !== holder.startTime) return true;
    throw inUse(folder, holder.pid === process.pid ? 'by this very process' : `by the process ${holder.pid}`);
  }
  const seen = lastTouched(file);
  for (let waited = 0; waited < silenceMs; waited += heartbeat / 4) {
    await pause(heartbeat / 4);
    const now = lastTouched(file);
    if (now === undefined) return false;
    if (now !== seen) throw inUse(folder, `by the process ${holder.pid} in another container or on another machine`);
  }
  return true;
}

function inUse(folder: string, who: string): Error {
  return new Error(
    `The data folder ${folder} is in use ${who}. Stop that one first, or give this one another folder (WALKDOWN_DATA).`,
  );
}

function lastInLine(file: string, first: Holder): Holder {
  let last = first;
  for (;;) {
    const next = readHolder(`${file}.after-${last.nonce}`);
    if (!next) return last;
    last = next;
  }
}

function removeLine(file: string): void {
  const folder = path.dirname(file);
  const prefix = `${path.basename(file)}.after-`;
  for (const name of fs.readdirSync(folder))
    if (name.startsWith(prefix)) fs.rmSync(path.join(folder, name), { force: true });
}

function linked(from: string, to: string): boolean {
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
    `${file} is no lock of ours: its content is damaged. Make sure that no process uses the folder, then remove ` +
      'this file.',
  );
}

function touch(file: string): void {
  const now = new Date();
  // The lock is gone or taken over: nothing to report.
  fs.utimes(file, now, now, () => undefined);
}

function lastTouched(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
