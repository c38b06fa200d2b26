import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { context as watchContext, type BuildContext as EsbuildContext, type Plugin } from 'esbuild';
import type { BuildContext } from '../bundle/build-context.ts';
import { bundleFailure } from '../bundle/bundle-failure.ts';
import { compiledMessages } from '../bundle/compiled-messages.ts';
import type { Entries } from '../bundle/entries.ts';
import { serverEntryPoints, serverOptions } from '../bundle/server-bundle.ts';
import { SourceGuard, type Runtime } from '../bundle/source-guard.ts';
import { styleModules } from '../bundle/style-modules.ts';
import { browserOptions, browserTargets, virtualFolder } from '../bundle/web-bundle.ts';

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
  readonly #runtime: Runtime;
  readonly #entries: readonly string[];
  readonly #esbuild: EsbuildContext;
  readonly #guard: SourceGuard;

  private constructor(context: BuildContext, runtime: Runtime, entries: readonly string[], esbuild: EsbuildContext) {
    this.#context = context;
    this.#runtime = runtime;
    this.#entries = entries;
    this.#guard = new SourceGuard(context, runtime);
    this.#esbuild = esbuild;
  }

  /** Both pages and the web workers; packages are left to the import map. */
  static async web(context: BuildContext, entries: Entries): Promise<DevBundle> {
    const workers = await workerEntries(context);
    const esbuild = await watchContext({
      ...browserOptions(context),
      entryPoints: { app: entries.app, 'sign-in': entries.signIn, ...workers },
      entryNames: 'static/js/[name]',
      splitting: true,
      packages: 'external',
      sourcemap: 'inline',
      define: { 'process.env.NODE_ENV': '"development"' },
      logOverride: {},
      plugins: [pluginNames(context), compiledMessages(context.resolved.product.languages), styleModules(browserTargets)],
    });
    return new DevBundle(context, 'web', [entries.app, entries.signIn], esbuild);
  }

  static async server(context: BuildContext, entries: Entries): Promise<DevBundle> {
    const esbuild = await watchContext({ ...serverOptions(context), sourcemap: 'inline', entryPoints: await serverEntryPoints(context, entries.server), plugins: [pluginNames(context)] });
    return new DevBundle(context, 'server', [entries.server], esbuild);
  }

  /** @throws CliError for what does not build, or is where it may not be */
  async rebuild(): Promise<DevOutput> {
    const { root } = this.#context;
    const what = this.#runtime === 'web' ? 'The web bundle' : 'The server bundle';
    const result = await this.#esbuild.rebuild().catch((error: unknown) => {
      throw bundleFailure(error, what);
    });
    const metafile = result.metafile ?? { inputs: {}, outputs: {} };
    // The guard looks at what came in, not at each import: a callback for each would cost more than the rebuild.
    this.#guard.review(metafile, this.#entries, what);
    const folder = path.join(root, virtualFolder);
    const files = (result.outputFiles ?? []).map((file) => [path.relative(folder, file.path).split(path.sep).join('/'), file.contents] as const);
    const packages = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter((found) => found.external && found.path !== bundlerHelpers).map((found) => found.path));
    return { files: new Map(files), inputs: new Set(Object.keys(metafile.inputs).map((input) => path.join(root, input))), packages: [...new Set(packages)].sort() };
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

async function workerEntries({ root, resolved }: BuildContext): Promise<Record<string, string>> {
  const plugins = resolved.enabled.flatMap((id) => {
    const plugin = resolved.plugins.get(id);
    return plugin?.web ? [path.join(plugin.folder, 'web')] : [];
  });
  const folders = [path.join(root, 'core', 'web'), ...plugins];
  const found = await Promise.all(folders.map(async (folder) => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.worker.ts')).map((name) => path.join(folder, name))));
  return Object.fromEntries(found.flat().map((file) => [path.basename(file, '.ts'), file]));
}
