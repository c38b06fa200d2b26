import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'es-module-lexer';

/** The module that declares an exported name. `name` may be `default` or `*`. */
export interface ExportSource {
  readonly file: string;
  readonly name: string;
}

/** Resolves a specifier from a folder to an absolute file; undefined if it is missing or external. */
export type ResolveModule = (specifier: string, folder: string) => Promise<string | undefined>;

interface ModuleExports {
  /** Names that the module declares itself. */
  readonly local: ReadonlySet<string>;
  readonly reexports: ReadonlyMap<string, readonly [specifier: string, name: string]>;
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
}

/** Longer than any reasonable chain of re-exports. */
const maxDepth = 16;

/**
 * Follows static re-exports of JavaScript modules to the file that declares a name. Reads each file once. The lexer
 * must be initialised (`init`).
 */
export class BarrelIndex {
  readonly #modules = new Map<string, ModuleExports>();
  readonly #resolve: ResolveModule;

  constructor(resolve: ResolveModule) {
    this.#resolve = resolve;
  }

  /** The file that declares what `file` exports as `name`; undefined if static analysis cannot tell. */
  async findExport(file: string, name: string, depth = 0): Promise<ExportSource | undefined> {
    if (depth > maxDepth || !/\.m?js$/.test(file)) return undefined;
    const module = this.#read(file);
    if (module.local.has(name)) return { file, name };
    const folder = path.dirname(file);
    const reexport = module.reexports.get(name);
    if (reexport) {
      const [specifier, sourceName] = reexport;
      const target = await this.#resolve(specifier, folder);
      if (target === undefined) return { file, name };
      if (sourceName === '*' || sourceName === 'default') return { file: target, name: sourceName };
      return (await this.findExport(target, sourceName, depth + 1)) ?? { file: target, name: sourceName };
    }
    for (const specifier of module.stars) {
      const target = await this.#resolve(specifier, folder);
      const exportSource = target === undefined ? undefined : await this.findExport(target, name, depth + 1);
      if (exportSource) return exportSource;
    }
    return undefined;
  }

  #read(file: string): ModuleExports {
    const cached = this.#modules.get(file);
    if (cached) return cached;
    const [, exports] = parse(readFileSync(file, 'utf8'));
    const module: ModuleExports = {
      local: new Set(exports.flatMap((exportEntry) => (exportEntry.type === 'direct' ? [exportEntry.name] : []))),
      reexports: new Map(
        exports.flatMap((exportEntry) =>
          exportEntry.type === 'reexport'
            ? [[exportEntry.name, [exportEntry.from, exportEntry.importName ?? '*']] as const]
            : [],
        ),
      ),
      stars: exports.flatMap((exportEntry) => (exportEntry.type === 'reexport-all' ? [exportEntry.from] : [])),
    };
    this.#modules.set(file, module);
    return module;
  }
}
