const entryPathPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const maxLength = 200;

/**
 * Whether a path may name an entry of a folder (see `FolderEntry`). Traversal, hidden files and platform-dependent
 * characters are not allowed.
 */
export function isEntryPath(path: string): boolean {
  return path.length <= maxLength && entryPathPattern.test(path);
}

/**
 * Validates the paths of one folder as they are added.
 *
 * @throws if a path is invalid, duplicate, or names both a file and a folder
 */
export class EntryPaths {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  add(path: string): void {
    if (!isEntryPath(path))
      throw new Error(
        `'${path}' cannot name an entry of a folder. Use at most ${maxLength} letters, digits, '.', '_', '-' ` +
          `and '/', and begin no segment with a dot.`,
      );
    if (this.#files.has(path) || this.#folders.has(path))
      throw new Error(`The entry '${path}' appears twice in one folder. Give each entry its own path.`);
    this.#files.add(path);
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash);
      if (this.#files.has(folder))
        throw new Error(`The entry '${path}' is below the entry '${folder}', which is a file. Rename one of them.`);
      this.#folders.add(folder);
    }
  }
}
