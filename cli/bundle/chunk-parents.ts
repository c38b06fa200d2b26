import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OnResolveResult, Plugin } from 'esbuild';
import type { BuildContext } from './build-context.ts';
import type { Entries } from './entries.ts';
import type { Joins } from './joined-chunks.ts';

type ParentPage = 'app' | 'sign-in';

/** The namespace that the bundler adds between an `import()` and its file. */
export const lazyPrefix = /^lazy-(?:app|sign-in):/;

/** Folders of core that only the app uses. Code that both pages share has no parent. */
const appFolders = /^core\/web\/(?:app|kernel|router|shell|ui)\//;
const signInFolder = /^core\/web\/sign-in\//;
const scriptFile = /\.tsx?$/;

/**
 * Makes each lazy chunk import the entry of its page, which is loaded already. The bundler then leaves the entry's
 * modules out of the chunk. Otherwise it would write a separate file for each set of chunks that share a module.
 * `joins` adds imports between lazy chunks.
 */
export class ChunkParents {
  readonly #context: BuildContext;
  readonly #entries: Readonly<Record<ParentPage, string>>;
  readonly #joins: Joins;
  readonly #joinedSources: ReadonlySet<string>;

  constructor(context: BuildContext, { app, signIn }: Pick<Entries, 'app' | 'signIn'>, joins: Joins = new Map()) {
    this.#context = context;
    this.#entries = { app, 'sign-in': signIn };
    this.#joins = joins;
    this.#joinedSources = new Set([...joins.values()].flat());
  }

  /** Whether the guard keeps a module that is imported only for its side effects. */
  readonly isPreserved = (file: string): boolean => this.#joinedSources.has(this.#context.sources.toDisplayPath(file));

  /** Resolves an `import()` of `file` for the guard; undefined for the default. */
  readonly resolveLazy = (file: string, importer: string): OnResolveResult | undefined => {
    const parent = scriptFile.test(file) ? this.#findParent(importer) : undefined;
    // A relative path, so that hashes contain no absolute path.
    return parent && { path: this.#context.sources.toDisplayPath(file), namespace: `lazy-${parent}` };
  };

  plugin(): Plugin {
    return {
      name: 'chunk-parents',
      setup: (build) => {
        for (const parent of ['app', 'sign-in'] as const) {
          build.onLoad({ filter: /.*/, namespace: `lazy-${parent}` }, async ({ path: name }) => {
            const file = path.resolve(this.#context.root, name);
            const folder = path.dirname(file);
            const ownSpecifier = JSON.stringify(`./${path.basename(file)}`);
            const hasDefault = /\bexport\s+default\b|\bas\s+default\b/.test(await readFile(file, 'utf8'));
            const joinedFiles = (this.#joins.get(name) ?? [])
              .filter((source) => source !== name)
              .map((source) => path.resolve(this.#context.root, source));
            const lines = [
              ...[this.#entries[parent], ...joinedFiles].map(
                (importedFile) => `import ${JSON.stringify(toRelativePath(folder, importedFile))};`,
              ),
              `export * from ${ownSpecifier};`,
              ...(hasDefault ? [`export { default } from ${ownSpecifier};`] : []),
            ];
            return { contents: lines.join('\n'), loader: 'js', resolveDir: folder, watchFiles: [file] };
          });
        }
      },
    };
  }

  #findParent(importer: string): ParentPage | undefined {
    const { sources } = this.#context;
    const importerPath = sources.toDisplayPath(importer);
    if (signInFolder.test(importerPath)) return 'sign-in';
    return sources.findOwner(importer) !== undefined || appFolders.test(importerPath) ? 'app' : undefined;
  }
}

function toRelativePath(folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
