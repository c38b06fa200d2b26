const shape = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const maxLength = 200;

/**
 * Whether a path may name an entry of a folder (see `FolderEntry`): no traversal, no hidden files, nothing
 * platform-dependent.
 */
export function isPartPath(path: string): boolean {
  return path.length <= maxLength && shape.test(path);
}

/**
 * Validates the paths of one folder as they are added.
 *
 * @throws if one is invalid, duplicate, or both a file and a folder
 */
export class PartPaths {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  add(path: string): void {
    if (!isPartPath(path))
      throw new Error(
        `'${path}' cannot name an entry of a folder. Use letters, digits, '.', '_', '-' and '/', no segment ` +
          `beginning with a dot, at most ${maxLength} characters.`,
      );
    if (this.#files.has(path) || this.#folders.has(path))
      throw new Error(`The entry '${path}' comes twice in one folder. Give each entry a path of its own.`);
    this.#files.add(path);
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (this.#files.has(folder))
        throw new Error(`The entry '${path}' lies below the entry '${folder}', which is a file. Rename one of them.`);
      this.#folders.add(folder);
    }
  }
}
