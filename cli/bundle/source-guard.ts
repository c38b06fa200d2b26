import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Metafile, OnResolveArgs, OnResolveResult, Plugin } from 'esbuild';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import { indentChain } from './build-error.ts';
import { findImportChain } from './output-graph.ts';

type GuardedContext = Pick<BuildContext, 'root' | 'sources' | 'core' | 'entriesFolder'> & {
  readonly resolvedProfile: Pick<BuildContext['resolvedProfile'], 'name' | 'disabled'>;
};

export type Runtime = 'web' | 'server';

/**
 * Matches imports of the project's own files: a `#` name of `imports` in package.json, or a relative path with an
 * extension. Imports of packages do not match, so that they cause no callback.
 */
const ownImport = /^#|^\..*\.(?:tsx?|json|css|svg|png|jpe?g|webp|mp4|wasm)$/;
/** Matches an input from a bundler namespace. */
const namespacedInput = /^(?:[a-z-]{2,}:|[<(])/;
const styleSheet = /\.css$/;
/** Extensions that imports of own files must have. */
const importExtension = /\.(?:tsx?|mjs|json|css|svg|png|jpe?g|webp|mp4|wasm)(?:\?worker)?$/;
const defaultRemedy = 'Remove the import, or use an extension point or a bridge instead.';
/** Shared barrels: core's common and browser parts, and the plugins' contracts. */
const preservedBarrel = /^(?:core\/common|core\/web|contract)\/index\.ts$/;

/**
 * Resolves imports of the project's own files and refuses those that are not allowed: files of disabled plugins
 * including their contracts, server files in the browser or vice versa, the CLI, tests and build-only code.
 */
export class SourceGuard {
  readonly #context: GuardedContext;
  readonly #runtime: Runtime;
  /**
   * Absolute folders that are allowed besides the plugins: the generated entries, and the folders of core's entry
   * points, which a test may place elsewhere.
   */
  readonly #allowedFolders: readonly string[];
  /** The first importer of each file. */
  readonly #importers = new Map<string, string>();

  constructor(context: GuardedContext, runtime: Runtime) {
    this.#context = context;
    this.#runtime = runtime;
    this.#allowedFolders = [
      context.entriesFolder,
      ...Object.values(context.core).map((file: string) => path.dirname(file)),
    ].map((folder) => folder + path.sep);
  }

  /** The import chain from an entry to `file`. */
  findChain(file: string): readonly string[] {
    const chain = [file];
    for (
      let current = this.#importers.get(file);
      current !== undefined && !chain.includes(current);
      current = this.#importers.get(current)
    )
      chain.unshift(current);
    return chain.map((link) => this.#context.sources.toDisplayPath(link));
  }

  /** Explains why a file, or the target of a link, must not be in this bundle; undefined if it is allowed. */
  findProblem(file: string): string | undefined {
    const problem = this.#findFileProblem(file);
    const realFile = this.#context.sources.findRealFile(file);
    if (problem !== undefined || realFile === file) return problem;
    const targetProblem = this.#findFileProblem(realFile);
    return targetProblem && `'${this.#context.sources.toDisplayPath(file)}' is a link: ${targetProblem}`;
  }

  #findFileProblem(file: string): string | undefined {
    const owner = this.#context.sources.findOwner(file);
    const displayPath = this.#context.sources.toDisplayPath(file);
    if (owner !== undefined && this.#context.resolvedProfile.disabled.includes(owner))
      return (
        `'${displayPath}' belongs to the plugin '${owner}', which the profile '${this.#context.resolvedProfile.name}' ` +
        'turns off.'
      );
    const localPath = this.#context.sources.toLocalPath(file);
    const otherRuntime = this.#runtime === 'web' ? 'server' : 'web';
    if (localPath.startsWith(owner === undefined ? `core/${otherRuntime}/` : `${otherRuntime}/`))
      return `'${displayPath}' is ${otherRuntime === 'web' ? 'browser' : 'server'} code.`;
    if (/\.test\.tsx?$/.test(localPath)) return `'${displayPath}' is a test.`;
    if (
      owner !== undefined ||
      /^core\/(?!testing\/)/.test(localPath) ||
      this.#allowedFolders.some((folder) => file.startsWith(folder))
    )
      return undefined;
    return `'${displayPath}' belongs to no product: it is neither core's nor a plugin's.`;
  }

  /**
   * Checks the inputs in the bundler's metafile. They include files that were resolved without the guard, by imports
   * without an extension, which are refused.
   *
   * @param entries absolute paths, where import chains begin
   * @throws CliError that names every file and import at fault; also if no own file was bundled
   */
  review(metafile: Metafile, entries: readonly string[], subject: string): void {
    const { root, sources } = this.#context;
    const isOwn = (input: string) => !namespacedInput.test(input) && sources.isOwn(path.join(root, input));
    const ownInputs = Object.entries(metafile.inputs).filter(([input]) => isOwn(input));
    if (ownInputs.length === 0)
      throw new CliError(exitCodes.buildFailed, [
        {
          cause: `${subject} contains no file of the project, so the guard checked nothing.`,
          remedy: 'This is a bug in Walkdown. Please report it.',
        },
      ]);
    const findChain = (input: string) =>
      entries
        .map((entry) => findImportChain(metafile, sources.toDisplayPath(entry), input, true))
        .find((chain) => chain.length > 0) ?? [input];
    const problems = ownInputs.flatMap(([input, { imports }]): Problem[] => {
      const cause = this.findProblem(path.join(root, input));
      if (cause !== undefined) return [{ cause, details: indentChain(findChain(input)), remedy: defaultRemedy }];
      const incompleteImports = imports.filter(
        ({ original, path: target }) => original?.startsWith('.') && !importExtension.test(original) && isOwn(target),
      );
      return incompleteImports.map(({ original }) => ({
        file: input,
        cause: `'${original}' has no file extension.`,
        remedy: "Write the extension, such as '.ts'. The guard does not see imports without one.",
      }));
    });
    if (problems.length > 0) throw new CliError(exitCodes.buildFailed, problems);
  }

  /**
   * Must come before every resolving plugin.
   *
   * @param resolveLazy resolves an `import()` of an allowed file; undefined for the default
   * @param isPreserved whether to keep a module that is imported only for its side effects, besides the default ones
   */
  plugin(
    resolveLazy: (file: string, importer: string) => OnResolveResult | undefined = () => undefined,
    isPreserved: (file: string) => boolean = () => false,
  ): Plugin {
    return {
      name: 'source-guard',
      setup: (build) => {
        build.onResolve({ filter: ownImport }, (args) => this.#onResolve(args, resolveLazy, isPreserved));
        // TypeBox would be bundled by a value import of a contract's api.ts. The browser needs only its types.
        if (this.#runtime === 'web')
          build.onResolve({ filter: /^typebox(?:\/|$)/ }, (args) =>
            this.#refuse(
              args,
              args.importer,
              'The browser would load TypeBox, which has 77 kB.',
              "Import schemas of endpoints and settings as types: 'import type'.",
            ),
          );
      },
    };
  }

  #onResolve(
    args: OnResolveArgs,
    resolveLazy: (file: string, importer: string) => OnResolveResult | undefined,
    isPreserved: (file: string) => boolean,
  ): OnResolveResult | undefined {
    if (args.importer !== '' && !this.#context.sources.isOwn(args.importer)) return undefined;
    const file = this.#context.sources.resolve(args.path, args.resolveDir);
    if (file === undefined) return undefined;
    // An import from a bundler namespace repeats an `import()` that is recorded already.
    if (!this.#importers.has(file) && args.importer !== '' && args.namespace === 'file')
      this.#importers.set(file, args.importer);
    const problem = this.findProblem(file);
    if (problem !== undefined) return this.#refuse(args, file, problem, defaultRemedy);
    if (!existsSync(file))
      return this.#refuse(
        args,
        file,
        `There is no file '${this.#context.sources.toDisplayPath(file)}'.`,
        'Create the file, or correct the path.',
      );
    const lazyResult = args.kind === 'dynamic-import' ? resolveLazy(file, args.importer) : undefined;
    if (lazyResult) return lazyResult;
    return { path: file, sideEffects: args.kind === 'entry-point' || this.#isPreserved(file) || isPreserved(file) };
  }

  /**
   * Whether a module is kept even if nothing of it is used. Other modules of the project have no side effects.
   * A preserved barrel stays one module, so that its used exports are in one chunk, which the page loads first.
   */
  #isPreserved(file: string): boolean {
    return (
      styleSheet.test(file) ||
      this.#context.sources.toDisplayPath(file).startsWith('.generated/') ||
      preservedBarrel.test(this.#context.sources.toLocalPath(file))
    );
  }

  #refuse(args: OnResolveArgs, file: string, text: string, advice: string): OnResolveResult {
    if (!this.#importers.has(file) && args.importer !== '' && file !== args.importer)
      this.#importers.set(file, args.importer);
    return { errors: [{ text, detail: { chain: this.findChain(file), remedy: advice } }] };
  }
}
