import { readFileSync } from 'node:fs';
import path from 'node:path';
import { init, parse as parseImports } from 'es-module-lexer';
import { transform, type OnLoadResult, type Plugin, type PluginBuild } from 'esbuild';
import { BarrelIndex, type ExportSource } from './barrel-index.ts';
import { inlineTokens } from './inline-tokens.ts';

/** Packages whose barrel imports are rewritten. */
const barrelPackage = /^@(?:fluentui|griffel)\//;
const ownFile = /\.tsx?$/;
const iconBarrel = '@fluentui/react-icons';
/** Matches a statement as the lexer returns it: `import { A, B as C } from`, or the same with `export`. */
const namedClause = /^(import|export)\s*\{([^}]*)\}\s*from\b/;
const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const wordCharacter = /[\w$]/;

/**
 * Rewrites `import { A, B as C } from '<barrel>'` to imports from the files that declare A and B, in Fluent and our own
 * code. The bundler assigns whole files to chunks, so with a barrel the first download would contain everything that
 * any screen uses.
 *
 * @param prepare changes the text of a project file first; a parameter, because esbuild lets one plugin load a file
 */
export function barrelImportRewriter(prepare: (source: string) => string): Plugin {
  return {
    name: 'barrelImportRewriter',
    async setup(build) {
      await init;
      const rewriter = new ImportRewriter(build);
      build.onLoad({ filter: /[\\/]node_modules[\\/]@(?:fluentui|griffel)[\\/].*\.js$/ }, ({ path: file }) =>
        rewriter.load(file, inlineTokens(readFileSync(file, 'utf8'))),
      );
      build.onLoad({ filter: ownFile }, async ({ path: file, namespace }) => {
        if (namespace !== 'file') return undefined;
        // Reads synchronously, because asynchronous reads of hundreds of small files take ten times as long.
        const original = readFileSync(file, 'utf8');
        const source = inlineTokens(prepare(original));
        if (source.includes('@fluentui/')) return rewriter.load(file, await toJavaScript(file, source));
        return source === original
          ? undefined
          : { contents: source, loader: chooseLoader(file), resolveDir: path.dirname(file) };
      });
    },
  };
}

/** Strips types and JSX, which the lexer cannot read. */
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
  readonly #resolvedPaths = new Map<string, Promise<string | undefined>>();
  readonly #exportSources = new Map<string, Promise<ExportSource | undefined>>();

  constructor(build: PluginBuild) {
    this.#build = build;
    this.#index = new BarrelIndex((specifier, folder) => this.#resolve(specifier, folder));
  }

  async load(file: string, source: string): Promise<OnLoadResult> {
    const folder = path.dirname(file);
    const [imports] = parseImports(source);
    let text = '';
    let end = 0;
    for (const importEntry of imports) {
      if (importEntry.type !== 'static' || !barrelPackage.test(importEntry.specifier)) continue;
      const { specifier, importStart, importEnd } = importEntry;
      const statement = source.slice(importStart, importEnd);
      const rewrittenStatement = await this.#rewrite(statement, specifier, folder, source);
      if (rewrittenStatement === undefined) continue;
      // Keeps the number of lines, so that source maps stay aligned.
      text += source.slice(end, importStart) + rewrittenStatement + '\n'.repeat(statement.split('\n').length - 1);
      end = importEnd;
    }
    return { contents: text + source.slice(end), loader: 'js', resolveDir: folder };
  }

  /**
   * The rewritten statement; undefined if nothing can be rewritten. Omits names that the file does not use: an import
   * keeps its file in the chunk even if unused, and Fluent's compiled styles still import their sources.
   */
  async #rewrite(statement: string, specifier: string, folder: string, source: string): Promise<string | undefined> {
    const [, keyword, clause] = namedClause.exec(statement) ?? [];
    if (clause === undefined || /['"]/.test(clause)) return undefined;
    const importedNames = clause
      .replaceAll(comments, '')
      .split(',')
      .map((importedName) => importedName.trim())
      .filter((importedName) => importedName !== '');
    if (importedNames.length === 0) return undefined;
    const statements = importedNames.map((importedName) => {
      const [name = '', alias = name] = importedName.split(/\s+as\s+/);
      if (keyword === 'export') return this.#formatStatement('export', specifier, name, alias, folder);
      return countOccurrences(source, alias) > countOccurrences(statement, alias)
        ? this.#formatStatement('import', specifier, name, alias, folder)
        : undefined;
    });
    return (await Promise.all(statements)).filter((part) => part !== undefined).join(';');
  }

  async #formatStatement(
    keyword: 'import' | 'export',
    specifier: string,
    name: string,
    alias: string,
    folder: string,
  ): Promise<string> {
    const key = `${specifier}\0${name}`;
    const lookup = this.#exportSources.get(key) ?? this.#findExport(specifier, name, folder);
    this.#exportSources.set(key, lookup);
    const exportSource = await lookup;
    const from = exportSource ? toRelativePath(folder, exportSource.file) : specifier;
    const declaredName = exportSource?.name ?? name;
    if (declaredName === '*') return `${keyword} * as ${alias} from ${JSON.stringify(from)}`;
    return `${keyword} { ${declaredName === alias ? alias : `${declaredName} as ${alias}`} } from ${JSON.stringify(from)}`;
  }

  async #findExport(specifier: string, name: string, folder: string): Promise<ExportSource | undefined> {
    const base = await this.#resolve(specifier, folder);
    if (base === undefined) return undefined;
    return (specifier === iconBarrel ? findIconFile(base, name) : undefined) ?? this.#index.findExport(base, name);
  }

  #resolve(specifier: string, folder: string): Promise<string | undefined> {
    const key = specifier.startsWith('.') ? `${folder}\0${specifier}` : specifier;
    const cached = this.#resolvedPaths.get(key);
    if (cached) return cached;
    const resolving = this.#build
      .resolve(specifier, { resolveDir: folder, kind: 'import-statement' })
      .then((result) => (result.errors.length > 0 || result.external ? undefined : result.path));
    this.#resolvedPaths.set(key, resolving);
    return resolving;
  }
}

/** Counts how often a name occurs in a text, except as a member (`.name`, but not `...name`). */
function countOccurrences(text: string, name: string): number {
  let count = 0;
  for (let index = text.indexOf(name); index !== -1; index = text.indexOf(name, index + name.length)) {
    const isWhole =
      !wordCharacter.test(text.charAt(index - 1)) && !wordCharacter.test(text.charAt(index + name.length));
    const isMember = text.charAt(index - 1) === '.' && text.charAt(index - 2) !== '.';
    if (isWhole && !isMember) count += 1;
  }
  return count;
}

/** Finds the small file of one icon. The barrel exports icons from large files, which would be bundled whole. */
function findIconFile(barrelFile: string, name: string): ExportSource | undefined {
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

/** A relative path, so that source maps and hashes contain no absolute path. */
function toRelativePath(folder: string, file: string): string {
  const relative = path.relative(folder, file).split(path.sep).join('/');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
