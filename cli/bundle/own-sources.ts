import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';

/** Resolves imports of the project's own files, and finds the plugin of a file. */
export class OwnSources {
  readonly root: string;
  readonly #namedFiles: ReadonlyMap<string, string>;
  readonly #pluginFolders: readonly (readonly [id: string, folder: string])[];
  readonly #packagesFolder: string;
  /** The folders of the project and its plugins with their real paths, the longest real path first. */
  readonly #realFolders: readonly (readonly [realFolder: string, folder: string])[];
  readonly #realFiles = new Map<string, string>();

  constructor(root: string, resolvedProfile: Pick<ResolvedProfile, 'plugins'>) {
    this.root = root;
    const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      imports: Record<string, string>;
    };
    this.#namedFiles = new Map(
      Object.entries(imports)
        .filter(([name]) => !name.includes('*'))
        .map(([name, file]) => [name, path.join(root, file)]),
    );
    this.#pluginFolders = [...resolvedProfile.plugins.values()].map(
      ({ manifest, folder }) => [manifest.id, folder + path.sep] as const,
    );
    this.#packagesFolder = `${path.sep}node_modules${path.sep}`;
    this.#realFolders = [root, ...this.#pluginFolders.map(([, folder]) => folder.slice(0, -1))]
      .map((folder) => [resolveRealPath(folder) + path.sep, folder + path.sep] as const)
      .sort(([a], [b]) => b.length - a.length);
  }

  /**
   * The real file behind a path. The project's root and the plugins' folders may be links themselves: their paths are
   * preserved.
   */
  findRealFile(file: string): string {
    const cached = this.#realFiles.get(file);
    if (cached !== undefined) return cached;
    const realPath = resolveRealPath(file);
    const match = this.#realFolders.find(([realFolder]) => realPath.startsWith(realFolder));
    const ownPath = match ? match[1] + realPath.slice(match[0].length) : realPath;
    this.#realFiles.set(file, ownPath);
    return ownPath;
  }

  /** Whether a file belongs to the project or a plugin and not to a package. */
  isOwn(file: string): boolean {
    return path.isAbsolute(file) && !file.includes(this.#packagesFolder);
  }

  /** The absolute path of an import in an own file; undefined for a package. Relative imports have extensions. */
  resolve(specifier: string, folder: string): string | undefined {
    if (specifier.startsWith('.')) return path.resolve(folder, specifier);
    if (path.isAbsolute(specifier)) return specifier;
    const namedFile = this.#namedFiles.get(specifier);
    if (namedFile !== undefined) return namedFile;
    const [, id, api] = /^#plugins\/([^/]+)(\/api)?$/.exec(specifier) ?? [];
    const plugin = this.#pluginFolders.find(([pluginId]) => pluginId === id);
    return plugin && path.join(plugin[1], 'contract', api ? 'api.ts' : 'index.ts');
  }

  /** The id of the plugin whose folder contains the file. */
  findOwner(file: string): string | undefined {
    return this.#pluginFolders.find(([, folder]) => file.startsWith(folder))?.[0];
  }

  /** The file's path within its plugin, or within the project; with forward slashes. */
  toLocalPath(file: string): string {
    const owner = this.#pluginFolders.find(([, folder]) => file.startsWith(folder));
    return path
      .relative(owner ? owner[1] : this.root, file)
      .split(path.sep)
      .join('/');
  }

  /** Relative to the project, with forward slashes. */
  toDisplayPath(file: string): string {
    return path.relative(this.root, file).split(path.sep).join('/');
  }
}

/** The path without links; unchanged if the file does not exist. */
function resolveRealPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}
