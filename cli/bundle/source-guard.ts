import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Metafile, OnResolveArgs, OnResolveResult, Plugin } from 'esbuild';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import { indented } from './bundle-failure.ts';
import { importChain } from './output-graph.ts';

type GuardedContext = Pick<BuildContext, 'root' | 'sources' | 'frame' | 'generated'> & {
  readonly resolved: Pick<BuildContext['resolved'], 'name' | 'disabled'>;
};

export type Runtime = 'web' | 'server';

/**
 * Own imports: by a name of package.json, or relative with an extension. Packages are not checked, and cost no call.
 */
const ownImport = /^#|^\..*\.(?:tsx?|json|css|svg|png|jpe?g|webp|mp4|wasm)$/;
/** An input from a bundler namespace instead of a file. */
const namespaced = /^(?:[a-z-]{2,}:|[<(])/;
const styles = /\.css$/;
/** Extensions that imports of own files must have. */
const withExtension = /\.(?:tsx?|mjs|json|css|svg|png|jpe?g|webp|mp4|wasm)(?:\?worker)?$/;
const remedy = 'Take the import out, or meet the other by an extension point or a bridge.';
/** Shared barrels: core's common and browser parts, and the plugins' contracts. */
const keptBarrel = /^(?:core\/common|core\/web|contract)\/index\.ts$/;

/**
 * Resolves every own import, and fails the build at one that is not allowed: any file of a disabled plugin, even its
 * contract; a server file in the browser or vice versa; the CLI, tests, and build-only code.
 */
export class SourceGuard {
  readonly #context: GuardedContext;
  readonly #runtime: Runtime;
  /**
   * Absolute folders in the product that belong neither to core nor to a plugin: the generated entries, and the frame
   * of a test.
   */
  readonly #further: readonly string[];
  /** The first importer of each file. */
  readonly #importers = new Map<string, string>();

  constructor(context: GuardedContext, runtime: Runtime) {
    this.#context = context;
    this.#runtime = runtime;
    this.#further = [context.generated, ...Object.values(context.frame).map((file: string) => path.dirname(file))].map(
      (folder) => folder + path.sep,
    );
  }

  /** The import chain from an entry to `file`. */
  chainTo(file: string): readonly string[] {
    const chain = [file];
    for (let at = this.#importers.get(file); at !== undefined && !chain.includes(at); at = this.#importers.get(at))
      chain.unshift(at);
    return chain.map((link) => this.#context.sources.display(link));
  }

  /** Explains why the file, or the target of the link, must not be in this bundle. */
  findProblem(file: string): string | undefined {
    const problem = this.#problemAt(file);
    const real = this.#context.sources.resolveReal(file);
    if (problem !== undefined || real === file) return problem;
    const behind = this.#problemAt(real);
    return behind && `'${this.#context.sources.display(file)}' is a link: ${behind}`;
  }

  #problemAt(file: string): string | undefined {
    const owner = this.#context.sources.findOwner(file);
    const shown = this.#context.sources.display(file);
    if (owner !== undefined && this.#context.resolved.disabled.includes(owner))
      return (
        `'${shown}' belongs to the plugin '${owner}', which the profile '${this.#context.resolved.name}' ` +
        'turns off.'
      );
    const part = this.#context.sources.findPart(file);
    const other = this.#runtime === 'web' ? 'server' : 'web';
    if (part.startsWith(owner === undefined ? `core/${other}/` : `${other}/`))
      return `'${shown}' is ${other === 'web' ? 'browser' : 'server'} code.`;
    if (/\.test\.tsx?$/.test(part)) return `'${shown}' is a test.`;
    if (
      owner !== undefined ||
      /^core\/(?!testing\/)/.test(part) ||
      this.#further.some((folder) => file.startsWith(folder))
    )
      return undefined;
    return `'${shown}' belongs to no product: it is neither core's nor a plugin's.`;
  }

  /**
   * Checks the inputs in the bundler's metafile, including files that were resolved without the guard: imports without
   * an extension, which are refused.
   *
   * @param entries absolute paths, where import chains begin
   * @throws CliError that names every file and import at fault; also if no own file was bundled
   */
  review(metafile: Metafile, entries: readonly string[], what: string): void {
    const { root, sources } = this.#context;
    const isOwn = (input: string) => !namespaced.test(input) && sources.isOwn(path.join(root, input));
    const own = Object.entries(metafile.inputs).filter(([input]) => isOwn(input));
    if (own.length === 0)
      throw new CliError(exitCodes.buildFailed, [
        {
          cause: `${what} has no file of ours: the guard examined nothing.`,
          remedy: 'This is a mistake in Walkdown itself: report it.',
        },
      ]);
    const chainTo = (input: string) =>
      entries
        .map((entry) => importChain(metafile, sources.display(entry), input, true))
        .find((chain) => chain.length > 0) ?? [input];
    const problems = own.flatMap(([input, { imports }]): Problem[] => {
      const cause = this.findProblem(path.join(root, input));
      if (cause !== undefined) return [{ cause, details: indented(chainTo(input)), remedy }];
      const nameless = imports.filter(
        ({ original, path: target }) => original?.startsWith('.') && !withExtension.test(original) && isOwn(target),
      );
      return nameless.map(({ original }) => ({
        file: input,
        cause: `'${original}' does not name its file to the end.`,
        remedy: "Write the file's own extension, such as '.ts': the guard is not asked about an import without it.",
      }));
    });
    if (problems.length > 0) throw new CliError(exitCodes.buildFailed, problems);
  }

  /**
   * Must come before every resolving plugin.
   *
   * @param lazy takes over an `import()` of an allowed own file
   * @param stays whether to keep a module imported only for its effects, in addition to the default ones
   */
  plugin(
    lazy: (file: string, importer: string) => OnResolveResult | undefined = () => undefined,
    stays: (file: string) => boolean = () => false,
  ): Plugin {
    return {
      name: 'source-guard',
      setup: (build) => {
        build.onResolve({ filter: ownImport }, (args) => this.#onResolve(args, lazy, stays));
        // TypeBox comes in by a value import of a contract's api.ts, of which the browser needs types only.
        if (this.#runtime === 'web')
          build.onResolve({ filter: /^typebox(?:\/|$)/ }, (args) =>
            this.#refusal(
              args,
              args.importer,
              'TypeBox, which weighs 77 kB, gets into the browser.',
              "Take what describes endpoints and settings as a type: 'import type'.",
            ),
          );
      },
    };
  }

  #onResolve(
    args: OnResolveArgs,
    lazy: (file: string, importer: string) => OnResolveResult | undefined,
    stays: (file: string) => boolean,
  ): OnResolveResult | undefined {
    if (args.importer !== '' && !this.#context.sources.isOwn(args.importer)) return undefined;
    const file = this.#context.sources.resolve(args.path, args.resolveDir);
    if (file === undefined) return undefined;
    // The namespace of an `import()` is not an importer of its own.
    if (!this.#importers.has(file) && args.importer !== '' && args.namespace === 'file')
      this.#importers.set(file, args.importer);
    const problem = this.findProblem(file);
    if (problem !== undefined) return this.#refusal(args, file, problem, remedy);
    if (!existsSync(file))
      return this.#refusal(
        args,
        file,
        `There is no file '${this.#context.sources.display(file)}'.`,
        'Write it, or mend the path.',
      );
    const taken = args.kind === 'dynamic-import' ? lazy(file, args.importer) : undefined;
    if (taken) return taken;
    return { path: file, sideEffects: args.kind === 'entry-point' || this.#stays(file) || stays(file) };
  }

  /**
   * Own modules have no side effects: only used exports remain. Preserved barrels keep their used exports together, in
   * the first download of the importing page.
   */
  #stays(file: string): boolean {
    return (
      styles.test(file) ||
      this.#context.sources.display(file).startsWith('.generated/') ||
      keptBarrel.test(this.#context.sources.findPart(file))
    );
  }

  #refusal(args: OnResolveArgs, file: string, text: string, remedy: string): OnResolveResult {
    if (!this.#importers.has(file) && args.importer !== '' && file !== args.importer)
      this.#importers.set(file, args.importer);
    return { errors: [{ text, detail: { chain: this.chainTo(file), remedy } }] };
  }
}
