import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** How many results are kept; beyond it the older half goes. A build of one profile makes about two hundred. */
const most = 4000;

/**
 * Remembers what slow steps of a build made of what: minifying, joining source maps, compressing. A result is found by
 * a hash over all that it was made from, tool and settings included, so that a remembered result is the one that the
 * step would make.
 */
export class StepCache {
  readonly #folder: string;
  readonly #made: Promise<unknown>;

  constructor(root: string) {
    this.#folder = path.join(root, '.generated', 'steps');
    this.#made = mkdir(this.#folder, { recursive: true });
  }

  /** @param ingredients everything that decides the result, the step's own name and version first */
  async remember(ingredients: readonly (string | Uint8Array)[], make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const hash = createHash('sha256');
    for (const ingredient of ingredients) hash.update(`${ingredient.length}\0`).update(ingredient);
    const file = path.join(this.#folder, hash.digest('hex'));
    const known = await readFile(file).catch(() => undefined);
    if (known) return known;
    const result = await make();
    await this.#made;
    // Whole or not at all: another build may be reading.
    const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, result);
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
