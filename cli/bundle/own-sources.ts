import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedProfile } from '../profile/resolved-profile.ts';

/** The project's own files: what a specifier in one of them leads to, and which plugin a file belongs to. */
export class OwnSources {
  readonly root: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #folders: readonly (readonly [id: string, folder: string])[];
  readonly #packages: string;

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
  }

  /** True for a file of the project itself, wherever its plugins folder lies. */
  isOwn(file: string): boolean {
    return path.isAbsolute(file) && !file.includes(this.#packages);
  }

  /**
   * The absolute path that an import in an own file leads to; undefined for a package. Relative imports carry their
   * extension.
   */
  resolve(specifier: string, folder: string): string | undefined {
    if (specifier.startsWith('.')) return path.resolve(folder, specifier);
    if (path.isAbsolute(specifier)) return specifier;
    const name = this.#names.get(specifier);
    if (name !== undefined) return name;
    const [, id, api] = /^#plugins\/([^/]+)(\/api)?$/.exec(specifier) ?? [];
    const plugin = this.#folders.find(([known]) => known === id);
    return plugin && path.join(plugin[1], 'contract', api ? 'api.ts' : 'index.ts');
  }

  /** The id of the plugin whose folder holds the file. */
  ownerOf(file: string): string | undefined {
    return this.#folders.find(([, folder]) => file.startsWith(folder))?.[0];
  }

  /** The file's place within its plugin, or within the project; with forward slashes. */
  partOf(file: string): string {
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
