import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';

/** Resolves imports of the project's own files, and finds the plugin of a file. */
export class OwnSources {
  readonly root: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #folders: readonly (readonly [id: string, folder: string])[];
  readonly #packages: string;
  /** Own folders by their real paths, the longest first. */
  readonly #places: readonly (readonly [real: string, place: string])[];
  readonly #realFiles = new Map<string, string>();

  constructor(root: string, resolved: Pick<ResolvedProfile, 'plugins'>) {
    this.root = root;
    const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      imports: Record<string, string>;
    };
    this.#names = new Map(
      Object.entries(imports)
        .filter(([name]) => !name.includes('*'))
        .map(([name, file]) => [name, path.join(root, file)]),
    );
    this.#folders = [...resolved.plugins.values()].map(
      ({ manifest, folder }) => [manifest.id, folder + path.sep] as const,
    );
    this.#packages = `${path.sep}node_modules${path.sep}`;
    this.#places = [root, ...this.#folders.map(([, folder]) => folder.slice(0, -1))]
      .map((place) => [realPath(place) + path.sep, place + path.sep] as const)
      .sort(([a], [b]) => b.length - a.length);
  }

  /**
   * The real file behind a path. The project's root and the plugins' folders may be links themselves: their paths are
   * preserved.
   */
  resolveReal(file: string): string {
    const known = this.#realFiles.get(file);
    if (known !== undefined) return known;
    const real = realPath(file);
    const found = this.#places.find(([start]) => real.startsWith(start));
    const own = found ? found[1] + real.slice(found[0].length) : real;
    this.#realFiles.set(file, own);
    return own;
  }

  /** Whether a file belongs to the project, wherever its plugins folder is. */
  isOwn(file: string): boolean {
    return path.isAbsolute(file) && !file.includes(this.#packages);
  }

  /** The absolute path of an import in an own file; undefined for a package. Relative imports have extensions. */
  resolve(specifier: string, folder: string): string | undefined {
    if (specifier.startsWith('.')) return path.resolve(folder, specifier);
    if (path.isAbsolute(specifier)) return specifier;
    const name = this.#names.get(specifier);
    if (name !== undefined) return name;
    const [, id, api] = /^#plugins\/([^/]+)(\/api)?$/.exec(specifier) ?? [];
    const plugin = this.#folders.find(([known]) => known === id);
    return plugin && path.join(plugin[1], 'contract', api ? 'api.ts' : 'index.ts');
  }

  /** The id of the plugin whose folder contains the file. */
  findOwner(file: string): string | undefined {
    return this.#folders.find(([, folder]) => file.startsWith(folder))?.[0];
  }

  /** The file's path within its plugin, or within the project; with forward slashes. */
  findPart(file: string): string {
    const owner = this.#folders.find(([, folder]) => file.startsWith(folder));
    return path
      .relative(owner ? owner[1] : this.root, file)
      .split(path.sep)
      .join('/');
  }

  /** Relative to the project, with forward slashes. */
  display(file: string): string {
    return path.relative(this.root, file).split(path.sep).join('/');
  }
}

/** The path itself if it does not exist yet. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}
