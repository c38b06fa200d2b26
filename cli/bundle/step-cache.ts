import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * How many results are stored; above it the older half is deleted. A build of one profile creates about two hundred.
 */
const maxResults = 4000;

const sealBytes = 32;

/** A digest of a result and its input, stored before the result in its file. */
function computeSeal(name: string, result: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(result).digest();
}

/** The result in a file; undefined if it was not written by `computeSeal`. */
function unsealed(name: string, file: Buffer): Buffer | undefined {
  const result = file.subarray(sealBytes);
  return file.subarray(0, sealBytes).equals(computeSeal(name, result)) ? result : undefined;
}

/**
 * Caches results of slow build steps: minifying, joining source maps, compressing. The key is a hash of everything that
 * determines the result, including tool and settings. A damaged or replaced file is recomputed.
 */
export class StepCache {
  readonly #folder: string;
  readonly #made: Promise<unknown>;

  constructor(root: string) {
    this.#folder = path.join(root, '.generated', 'step-results');
    this.#made = mkdir(this.#folder, { recursive: true });
  }

  /** @param ingredients everything that determines the result, the step's name and version first */
  async remember(ingredients: readonly (string | Uint8Array)[], make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const hash = createHash('sha256');
    for (const ingredient of ingredients) hash.update(`${ingredient.length}\0`).update(ingredient);
    const name = hash.digest('hex');
    const file = path.join(this.#folder, name);
    const saved = await readFile(file).catch(() => undefined);
    const remembered = saved && unsealed(name, saved);
    if (remembered) return remembered;
    const result = await make();
    await this.#made;
    // Written atomically: another build may be reading.
    const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, Buffer.concat([computeSeal(name, result), result]));
    await rename(draft, file);
    return result;
  }

  /** Deletes the oldest results. */
  async tidy(): Promise<void> {
    await this.#made;
    const names = await readdir(this.#folder);
    if (names.length <= maxResults) return;
    const aged = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await stat(path.join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const old = aged.sort((a, b) => a.at - b.at).slice(0, names.length - maxResults / 2);
    await Promise.all(old.map(({ name }) => rm(path.join(this.#folder, name), { force: true })));
  }
}
