import path from 'node:path';
import { context as watchContext, type BuildContext as EsbuildContext, type BuildOptions, type Plugin } from 'esbuild';
import type { BuildContext } from '../bundle/build-context.ts';
import { toBuildError } from '../bundle/build-error.ts';
import type { Entries } from '../bundle/entries.ts';
import { findServerEntryPoints, createServerOptions } from '../bundle/server-bundle.ts';
import { SourceGuard, type Runtime } from '../bundle/source-guard.ts';
import { virtualFolder } from '../bundle/web-bundle.ts';

/** The result of one incremental build. */
export interface DevOutput {
  /** By path relative to the web or the server folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Absolute paths of the input files. */
  readonly inputs: ReadonlySet<string>;
  /** Package specifiers that own files import. */
  readonly packages: readonly string[];
}

/** The bundler's name for its own helpers among a file's imports. */
const bundlerHelpers = '<runtime>';

/** A bundle that is rebuilt incrementally. */
export class DevBundle {
  readonly #context: BuildContext;
  readonly #subject: string;
  readonly #entries: readonly string[];
  readonly #esbuild: EsbuildContext;
  readonly #guard: SourceGuard;

  private constructor(
    context: BuildContext,
    runtime: Runtime,
    subject: string,
    entries: readonly string[],
    esbuild: EsbuildContext,
  ) {
    this.#context = context;
    this.#subject = subject;
    this.#entries = entries;
    this.#esbuild = esbuild;
    this.#guard = new SourceGuard(context, runtime);
  }

  /** @param subject names the bundle in messages */
  static async open(
    context: BuildContext,
    runtime: Runtime,
    subject: string,
    options: Omit<BuildOptions, 'entryPoints'> & { readonly entryPoints: Record<string, string> },
  ): Promise<DevBundle> {
    return new DevBundle(context, runtime, subject, Object.values(options.entryPoints), await watchContext(options));
  }

  static async openServer(context: BuildContext, entries: Entries): Promise<DevBundle> {
    return DevBundle.open(context, 'server', 'The server bundle', {
      ...createServerOptions(context),
      sourcemap: 'inline',
      entryPoints: await findServerEntryPoints(context, entries.server),
      plugins: [createPluginResolver(context)],
    });
  }

  /** @throws CliError for errors of the bundler and forbidden imports */
  async rebuild(): Promise<DevOutput> {
    const { root } = this.#context;
    const result = await this.#esbuild.rebuild().catch((error: unknown) => {
      throw toBuildError(error, this.#subject);
    });
    const metafile = result.metafile ?? { inputs: {}, outputs: {} };
    // The guard checks only the inputs, because a callback for each import would take longer than the rebuild.
    this.#guard.review(metafile, this.#entries, this.#subject);
    const folder = path.join(root, virtualFolder);
    const files = (result.outputFiles ?? []).map(
      (file) => [path.relative(folder, file.path).split(path.sep).join('/'), file.contents] as const,
    );
    const packages = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports
        .filter((importEntry) => importEntry.external && importEntry.path !== bundlerHelpers)
        .map((importEntry) => importEntry.path),
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

/** Resolves plugins outside of the folder that package.json names. */
function createPluginResolver({ sources }: BuildContext): Plugin {
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
