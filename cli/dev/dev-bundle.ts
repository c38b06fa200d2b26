import path from 'node:path';
import { context as watchContext, type BuildContext as EsbuildContext, type BuildOptions, type Plugin } from 'esbuild';
import type { BuildContext } from '../bundle/build-context.ts';
import { bundleFailure } from '../bundle/bundle-failure.ts';
import type { Entries } from '../bundle/entries.ts';
import { serverEntryPoints, serverOptions } from '../bundle/server-bundle.ts';
import { SourceGuard, type Runtime } from '../bundle/source-guard.ts';
import { virtualFolder } from '../bundle/web-bundle.ts';

/** One run of a bundle that is made again and again. */
export interface DevOutput {
  /** By path relative to the web or the server folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Absolute paths of the files that went in. */
  readonly inputs: ReadonlySet<string>;
  /** Package specifiers that own files import. */
  readonly packages: readonly string[];
}

/** How the bundler names its own helpers among the imports of a file. */
const bundlerHelpers = '<runtime>';

/** A bundle that is quick to make again. */
export class DevBundle {
  readonly #context: BuildContext;
  readonly #what: string;
  readonly #entries: readonly string[];
  readonly #esbuild: EsbuildContext;
  readonly #guard: SourceGuard;

  private constructor(
    context: BuildContext,
    runtime: Runtime,
    what: string,
    entries: readonly string[],
    esbuild: EsbuildContext,
  ) {
    this.#context = context;
    this.#what = what;
    this.#entries = entries;
    this.#esbuild = esbuild;
    this.#guard = new SourceGuard(context, runtime);
  }

  /** @param what names the bundle in a sentence */
  static async open(
    context: BuildContext,
    runtime: Runtime,
    what: string,
    options: Omit<BuildOptions, 'entryPoints'> & { readonly entryPoints: Record<string, string> },
  ): Promise<DevBundle> {
    return new DevBundle(context, runtime, what, Object.values(options.entryPoints), await watchContext(options));
  }

  static async server(context: BuildContext, entries: Entries): Promise<DevBundle> {
    return DevBundle.open(context, 'server', 'The server bundle', {
      ...serverOptions(context),
      sourcemap: 'inline',
      entryPoints: await serverEntryPoints(context, entries.server),
      plugins: [pluginNames(context)],
    });
  }

  /** @throws CliError for what does not build, or is where it may not be */
  async rebuild(): Promise<DevOutput> {
    const { root } = this.#context;
    const result = await this.#esbuild.rebuild().catch((error: unknown) => {
      throw bundleFailure(error, this.#what);
    });
    const metafile = result.metafile ?? { inputs: {}, outputs: {} };
    // The guard looks at what came in, not at each import: a callback for each would cost more than the rebuild.
    this.#guard.review(metafile, this.#entries, this.#what);
    const folder = path.join(root, virtualFolder);
    const files = (result.outputFiles ?? []).map(
      (file) => [path.relative(folder, file.path).split(path.sep).join('/'), file.contents] as const,
    );
    const packages = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter((found) => found.external && found.path !== bundlerHelpers).map((found) => found.path),
    );
    return {
      files: new Map(files),
      inputs: new Set(Object.keys(metafile.inputs).map((input) => path.join(root, input))),
      packages: [...new Set(packages)].sort(),
    };
  }

  async dispose(): Promise<void> {
    await this.#esbuild.dispose();
  }
}

/** Plugins may lie in other folders than the one that package.json names. */
function pluginNames({ sources }: BuildContext): Plugin {
  return {
    name: 'plugin-names',
    setup(build) {
      build.onResolve({ filter: /^#plugins\// }, ({ path: name, resolveDir }) => {
        const file = sources.resolve(name, resolveDir);
        return file === undefined ? undefined : { path: file };
      });
    },
  };
}
