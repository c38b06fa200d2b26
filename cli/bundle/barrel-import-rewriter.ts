import { readFileSync } from 'node:fs';
import path from 'node:path';
import { init, parse as parseImports } from 'es-module-lexer';
import { transform, type OnLoadResult, type Plugin, type PluginBuild } from 'esbuild';
import { BarrelIndex, type ExportSource } from './barrel-index.ts';
import { inlineTokens } from './inline-tokens.ts';

/** Barrels whose imports are rewritten to the files behind them. */
const barrel = /^@(?:fluentui|griffel)\//;
const ownFile = /\.tsx?$/;
const iconBarrel = '@fluentui/react-icons';
/** One statement as the lexer cuts it: `import { A, B as C } from`, or with `export`. */
const namedClause = /^(import|export)\s*\{([^}]*)\}\s*from\b/;
const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const wordCharacter = /[\w$]/;

/**
 * Rewrites `import { A, B as C } from '<barrel>'` to the files that declare A and B, in Fluent and our own code. The
 * bundler assigns chunks by file: through a barrel, everything that any screen uses lands in the first download.
 *
 * @param prepare further changes to the text of an own file; esbuild calls only the first of several loading plugins
 */
export function barrelImportRewriter(prepare: (source: string) => string): Plugin {
  return {
    name: 'barrelImportRewriter',
    async setup(build) {
      await init;
      const debarreler = new ImportRewriter(build);
      build.onLoad({ filter: /[\\/]node_modules[\\/]@(?:fluentui|griffel)[\\/].*\.js$/ }, ({ path: file }) =>
        debarreler.load(file, inlineTokens(readFileSync(file, 'utf8'))),
      );
      build.onLoad({ filter: ownFile }, async ({ path: file, namespace }) => {
        if (namespace !== 'file') return undefined;
        // Synchronous: asynchronous reads of hundreds of small files cost ten times as much.
        const read = readFileSync(file, 'utf8');
        const source = inlineTokens(prepare(read));
        if (source.includes('@fluentui/')) return debarreler.load(file, await toJavaScript(file, source));
        return source === read
          ? undefined
          : { contents: source, loader: chooseLoader(file), resolveDir: path.dirname(file) };
      });
    },
  };
}

/** The lexer cannot read TypeScript; it can once types and JSX are stripped. */
async function toJavaScript(file: string, source: string): Promise<string> {
  const { code } = await transform(source, {
    loader: chooseLoader(file),
    sourcefile: path.basename(file),
    sourcemap: 'inline',
    jsx: 'automatic',
    target: 'es2022',
    tsconfigRaw: {
      compilerOptions: { verbatimModuleSyntax: true, experimentalDecorators: true, useDefineForClassFields: true },
    },
  });
  return code;
}

function chooseLoader(file: string): 'ts' | 'tsx' {
  return file.endsWith('x') ? 'tsx' : 'ts';
}

class ImportRewriter {
  readonly #build: PluginBuild;
  readonly #index: BarrelIndex;
  readonly #resolved = new Map<string, Promise<string | undefined>>();
  readonly #places = new Map<string, Promise<ExportSource | undefined>>();

  constructor(build: PluginBuild) {
    this.#build = build;
    this.#index = new BarrelIndex((specifier, folder) => this.#resolve(specifier, folder));
  }

  async load(file: string, source: string): Promise<OnLoadResult> {
    const folder = path.dirname(file);
    const [imports] = parseImports(source);
    let text = '';
    let end = 0;
    for (const found of imports) {
      if (found.type !== 'static' || !barrel.test(found.specifier)) continue;
      const { specifier, importStart, importEnd } = found;
      const statement = source.slice(importStart, importEnd);
      const rewritten = await this.#rewrite(statement, specifier, folder, source);
      if (rewritten === undefined) continue;
      // Keeps the number of lines, so that source maps stay aligned.
      text += source.slice(end, importStart) + rewritten + '\n'.repeat(statement.split('\n').length - 1);
      end = importEnd;
    }
    return { contents: text + source.slice(end), loader: 'js', resolveDir: folder };
  }

  /**
   * The rewritten statement; undefined if nothing can be rewritten. Omits names that the file does not use: an import
   * keeps its file in the chunk even if unused, and Fluent's compiled styles still import their sources.
   */
  async #rewrite(statement: string, specifier: string, folder: string, source: string): Promise<string | undefined> {
    const [, word, clause] = namedClause.exec(statement) ?? [];
    if (clause === undefined || /['"]/.test(clause)) return undefined;
    const requested = clause
      .replaceAll(comments, '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    if (requested.length === 0) return undefined;
    const parts = requested.map((part) => {
      const [name = '', as = name] = part.split(/\s+as\s+/);
      if (word === 'export') return this.#part('export', specifier, name, as, folder);
      return mentions(source, as) > mentions(statement, as)
        ? this.#part('import', specifier, name, as, folder)
        : undefined;
    });
    return (await Promise.all(parts)).filter((part) => part !== undefined).join(';');
  }

  async #part(word: 'import' | 'export', specifier: string, name: string, as: string, folder: string): Promise<string> {
    const key = `${specifier}\0${name}`;
    const place = this.#places.get(key) ?? this.#find(specifier, name, folder);
    this.#places.set(key, place);
    const found = await place;
    const from = found ? relativeTo(folder, found.file) : specifier;
    const inner = found?.name ?? name;
    if (inner === '*')
      return word === 'import'
        ? `import * as ${as} from ${JSON.stringify(from)}`
        : `export * as ${as} from ${JSON.stringify(from)}`;
    return `${word} { ${inner === as ? as : `${inner} as ${as}`} } from ${JSON.stringify(from)}`;
  }

  async #find(specifier: string, name: string, folder: string): Promise<ExportSource | undefined> {
    const base = await this.#resolve(specifier, folder);
    if (base === undefined) return undefined;
    return (specifier === iconBarrel ? iconFile(base, name) : undefined) ?? this.#index.find(base, name);
  }

  #resolve(specifier: string, folder: string): Promise<string | undefined> {
    const key = specifier.startsWith('.') ? `${folder}\0${specifier}` : specifier;
    const cached = this.#resolved.get(key);
    if (cached) return cached;
    const resolving = this.#build
      .resolve(specifier, { resolveDir: folder, kind: 'import-statement' })
      .then((result) => (result.errors.length > 0 || result.external ? undefined : result.path));
    this.#resolved.set(key, resolving);
    return resolving;
  }
}

/** How often a name occurs in a text, excluding members (`.name`, but not `...name`). */
function mentions(text: string, name: string): number {
  let count = 0;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const isWhole = !wordCharacter.test(text.charAt(at - 1)) && !wordCharacter.test(text.charAt(at + name.length));
    const isMember = text.charAt(at - 1) === '.' && text.charAt(at - 2) !== '.';
    if (isWhole && !isMember) count += 1;
  }
  return count;
}

/** Fluent's icons exist in large alphabetical files and in one small file each: uses the latter. */
function iconFile(barrelFile: string, name: string): ExportSource | undefined {
  const family = /^(.+?)(?:\d+)?(?:Filled|Regular|Light|Color)$/.exec(name)?.[1];
  if (family === undefined) return undefined;
  const kebab = family.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
  const file = path.join(path.dirname(barrelFile), 'atoms', 'svg', `${kebab}.js`);
  try {
    return readFileSync(file, 'utf8').includes(`export const ${name} `) ? { file, name } : undefined;
  } catch {
    return undefined;
  }
}

/** Relative, so that no absolute path enters a source map or a hash. */
function relativeTo(folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
