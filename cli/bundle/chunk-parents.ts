import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OnResolveResult, Plugin } from 'esbuild';
import type { BuildContext } from './build-context.ts';
import type { Entries } from './entries.ts';
import type { Joins } from './joined-chunks.ts';

type Base = 'app' | 'sign-in';

/** The namespace that the bundler adds between an `import()` and its file. */
export const lazyPrefix = /^lazy-(?:app|sign-in):/;

/** Core's folders that only the app runs. Code shared by both pages has no parent. */
const appFolders = /^core\/web\/(?:app|kernel|router|shell|ui)\//;
const signInFolder = /^core\/web\/sign-in\//;
const script = /\.tsx?$/;

/**
 * Tells the bundler that a lazy part finds everything loaded that its page loaded first: each lazy part imports its
 * page's entry at no cost. Otherwise every set of parts that shares a module would become a file of its own. `joins`
 * adds further such imports.
 */
export class ChunkParents {
  readonly #context: BuildContext;
  readonly #entries: Readonly<Record<Base, string>>;
  readonly #joins: Joins;
  readonly #joined: ReadonlySet<string>;

  constructor(context: BuildContext, { app, signIn }: Pick<Entries, 'app' | 'signIn'>, joins: Joins = new Map()) {
    this.#context = context;
    this.#entries = { app, 'sign-in': signIn };
    this.#joins = joins;
    this.#joined = new Set([...joins.values()].flat());
  }

  /** For the guard: whether to keep a module that is imported only for its effects. */
  readonly stays = (file: string): boolean => this.#joined.has(this.#context.sources.display(file));

  /** For the guard: what an `import()` of `file` resolves to. */
  readonly takeOver = (file: string, importer: string): OnResolveResult | undefined => {
    const base = script.test(file) ? this.#findBase(importer) : undefined;
    // Relative, so that no absolute path enters a hash.
    return base && { path: this.#context.sources.display(file), namespace: `lazy-${base}` };
  };

  plugin(): Plugin {
    return {
      name: 'lazy-bases',
      setup: (build) => {
        for (const base of ['app', 'sign-in'] as const) {
          build.onLoad({ filter: /.*/, namespace: `lazy-${base}` }, async ({ path: name }) => {
            const file = path.resolve(this.#context.root, name);
            const folder = path.dirname(file);
            const own = JSON.stringify(`./${path.basename(file)}`);
            const hasDefault = /\bexport\s+default\b|\bas\s+default\b/.test(await readFile(file, 'utf8'));
            const along = (this.#joins.get(name) ?? [])
              .filter((source) => source !== name)
              .map((source) => path.resolve(this.#context.root, source));
            const lines = [
              ...[this.#entries[base], ...along].map((other) => `import ${JSON.stringify(relativeTo(folder, other))};`),
              `export * from ${own};`,
              ...(hasDefault ? [`export { default } from ${own};`] : []),
            ];
            return { contents: lines.join('\n'), loader: 'js', resolveDir: folder, watchFiles: [file] };
          });
        }
      },
    };
  }

  #findBase(importer: string): Base | undefined {
    const { sources } = this.#context;
    const part = sources.display(importer);
    if (signInFolder.test(part)) return 'sign-in';
    return sources.findOwner(importer) !== undefined || appFolders.test(part) ? 'app' : undefined;
  }
}

function relativeTo(folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
