import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The number of stored results above which the older half is deleted. A build of one profile creates about two hundred.
 */
const maxResults = 4000;

const checksumBytes = 32;

/** A checksum of a result and its key. The file contains it before the result. */
function computeChecksum(key: string, result: Uint8Array): Buffer {
  return createHash('sha256').update(key).update(result).digest();
}

/** The result in a file; undefined if the file is damaged. */
function readVerified(key: string, file: Buffer): Buffer | undefined {
  const result = file.subarray(checksumBytes);
  return file.subarray(0, checksumBytes).equals(computeChecksum(key, result)) ? result : undefined;
}

/**
 * Caches results of slow build steps: minifying, joining source maps, compressing. The key is a hash of everything that
 * determines the result, including tool and settings. A damaged or replaced file is recomputed.
 */
export class StepCache {
  readonly #folder: string;
  readonly #folderCreated: Promise<unknown>;

  constructor(root: string) {
    this.#folder = path.join(root, '.generated', 'step-results');
    this.#folderCreated = mkdir(this.#folder, { recursive: true });
  }

  /** @param keyParts everything that determines the result, the step's name and version first */
  async getOrCompute(
    keyParts: readonly (string | Uint8Array)[],
    compute: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const hash = createHash('sha256');
    for (const keyPart of keyParts) hash.update(`${keyPart.length}\0`).update(keyPart);
    const key = hash.digest('hex');
    const file = path.join(this.#folder, key);
    const savedBytes = await readFile(file).catch(() => undefined);
    const cachedResult = savedBytes && readVerified(key, savedBytes);
    if (cachedResult) return cachedResult;
    const result = await compute();
    await this.#folderCreated;
    // Writes atomically, because another build may be reading the file.
    const temporaryFile = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(temporaryFile, Buffer.concat([computeChecksum(key, result), result]));
    await rename(temporaryFile, file);
    return result;
  }

  /** Deletes the oldest results. */
  async removeOldResults(): Promise<void> {
    await this.#folderCreated;
    const names = await readdir(this.#folder);
    if (names.length <= maxResults) return;
    const filesWithAge = await Promise.all(
      names.map(async (name) => ({
        name,
        mtimeMs: (await stat(path.join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const oldResults = filesWithAge.sort((a, b) => a.mtimeMs - b.mtimeMs).slice(0, names.length - maxResults / 2);
    await Promise.all(oldResults.map(({ name }) => rm(path.join(this.#folder, name), { force: true })));
  }
}
