import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The number of stored results above which the older half is deleted. A build of one profile creates about two hundred.
 */
const maxResults = 4000;

const sealBytes = 32;

/** A digest of a result and its input, stored before the result in its file. */
function computeSeal(name: string, result: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(result).digest();
}

/** The result in a file; undefined if the file is damaged. */
function readSealed(name: string, file: Buffer): Buffer | undefined {
  const result = file.subarray(sealBytes);
  return file.subarray(0, sealBytes).equals(computeSeal(name, result)) ? result : undefined;
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
    const name = hash.digest('hex');
    const file = path.join(this.#folder, name);
    const savedBytes = await readFile(file).catch(() => undefined);
    const cached = savedBytes && readSealed(name, savedBytes);
    if (cached) return cached;
    const result = await compute();
    await this.#folderCreated;
    // Written atomically: another build may be reading.
    const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, Buffer.concat([computeSeal(name, result), result]));
    await rename(draft, file);
    return result;
  }

  /** Deletes the oldest results. */
  async removeOldResults(): Promise<void> {
    await this.#folderCreated;
    const names = await readdir(this.#folder);
    if (names.length <= maxResults) return;
    const withAge = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await stat(path.join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const oldResults = withAge.sort((a, b) => a.at - b.at).slice(0, names.length - maxResults / 2);
    await Promise.all(oldResults.map(({ name }) => rm(path.join(this.#folder, name), { force: true })));
  }
}
