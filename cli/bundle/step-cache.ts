import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** How many results are kept; beyond it the older half goes. A build of one profile makes about two hundred. */
const most = 4000;

const sealBytes = 32;

/** A digest over a result and what it was made from, which stands before the result in its file. */
function computeSeal(name: string, result: Uint8Array): Buffer {
  return createHash('sha256').update(name).update(result).digest();
}

/** The result in a file; undefined where it is not what was written there. */
function unsealed(name: string, file: Buffer): Buffer | undefined {
  const result = file.subarray(sealBytes);
  return file.subarray(0, sealBytes).equals(computeSeal(name, result)) ? result : undefined;
}

/**
 * Remembers what slow steps of a build made of what: minifying, joining source maps, compressing. A result is found by
 * a hash over all that it was made from, tool and settings included, so that a remembered result is the one that the
 * step would make. A file that was damaged or exchanged is not used, and written anew.
 */
export class StepCache {
  readonly #folder: string;
  readonly #made: Promise<unknown>;

  constructor(root: string) {
    this.#folder = path.join(root, '.generated', 'step-results');
    this.#made = mkdir(this.#folder, { recursive: true });
  }

  /** @param ingredients everything that decides the result, the step's own name and version first */
  async remember(ingredients: readonly (string | Uint8Array)[], make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const hash = createHash('sha256');
    for (const ingredient of ingredients) hash.update(`${ingredient.length}\0`).update(ingredient);
    const name = hash.digest('hex');
    const file = path.join(this.#folder, name);
    const known = await readFile(file).catch(() => undefined);
    const remembered = known && unsealed(name, known);
    if (remembered) return remembered;
    const result = await make();
    await this.#made;
    // Whole or not at all: another build may be reading.
    const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, Buffer.concat([computeSeal(name, result), result]));
    await rename(draft, file);
    return result;
  }

  /** Drops what has not been made anew for longest. */
  async tidy(): Promise<void> {
    await this.#made;
    const names = await readdir(this.#folder);
    if (names.length <= most) return;
    const aged = await Promise.all(
      names.map(async (name) => ({
        name,
        at: (await stat(path.join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const old = aged.sort((a, b) => a.at - b.at).slice(0, names.length - most / 2);
    await Promise.all(old.map(({ name }) => rm(path.join(this.#folder, name), { force: true })));
  }
}
