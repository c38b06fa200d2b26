import path from 'node:path';
import {
  build,
  version as bundlerVersion,
  type BuildOptions,
  type Metafile,
  type OnResolveResult,
  type OutputFile,
  type Plugin,
} from 'esbuild';
import { basePath } from '#core';
import type { BuildContext } from './build-context.ts';
import { toBuildError } from './build-error.ts';
import { compiledMessages, findWebMessages } from './compiled-messages.ts';
import { computeHashedNames, renameOutputs, renameReferences } from './hashed-names.ts';
import { barrelImportRewriter } from './barrel-import-rewriter.ts';
import type { Entries } from './entries.ts';
import { findChunkJoins, type Joins } from './joined-chunks.ts';
import { ChunkParents } from './chunk-parents.ts';
import { joinMaps, mapJoinerVersion, minifierVersion, minifyScript, type Script } from './minify.ts';
import { OutputGraph } from './output-graph.ts';
import { SourceGuard } from './source-guard.ts';
import { styleModules } from './style-modules.ts';
import { rewriteWorkerUrls, webWorkers, type WorkerBundle } from './web-workers.ts';

/** The browsers that the product supports: those with import maps. */
export const browserTargets = ['es2022', 'chrome111', 'edge111', 'safari16.4', 'firefox114'] as const;

/**
 * The bundler's virtual output folder: constant, so that source maps and hashes do not depend on the real one. Nothing
 * is written there.
 */
export const virtualFolder = '.generated/out';

/** The browser's part of a product, without its pages. */
export interface WebBundle {
  /** By path relative to the web folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /**
   * Joins the source maps and returns them by the path of their script. Slow, so it runs while files are compressed.
   */
  readonly joinSourceMaps: () => Promise<ReadonlyMap<string, string>>;
  readonly graph: OutputGraph;
  readonly metafile: Metafile;
  /** Metafiles of web workers, each a separate bundle. */
  readonly workers: readonly Metafile[];
  /** Paths of the entry scripts. */
  readonly app: string;
  readonly signIn: string;
}

/** Options that all browser bundles share: pages, workers, and build-time code. */
export function createBrowserOptions(
  context: BuildContext,
): BuildOptions & { readonly outdir: string; readonly publicPath: string } {
  return {
    absWorkingDir: context.root,
    outdir: virtualFolder,
    publicPath: basePath,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: [...browserTargets],
    charset: 'utf8',
    jsx: 'automatic',
    legalComments: 'none',
    entryNames: 'static/js/[name]-[hash]',
    chunkNames: 'static/js/[name]-[hash]',
    assetNames: 'static/media/[name]-[hash]',
    loader: {
      '.svg': 'file',
      '.png': 'file',
      '.jpg': 'file',
      '.jpeg': 'file',
      '.webp': 'file',
      '.mp4': 'file',
      '.wasm': 'file',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    // Messages are parsed at build time.
    alias: {
      '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
      // The package exports only its development build.
      'react-router': path.join(context.root, 'node_modules/react-router/dist/production/index.mjs'),
      'react-router/dom': path.join(context.root, 'node_modules/react-router/dist/production/dom-export.mjs'),
      'rtl-css-js/core': path.join(context.root, 'core/web/ui/left-to-right.ts'),
    },
    tsconfigRaw: {
      compilerOptions: { experimentalDecorators: true, useDefineForClassFields: true, verbatimModuleSyntax: true },
    },
    logOverride: { 'ignored-bare-import': 'error' },
    logLevel: 'silent',
    write: false,
    metafile: true,
  };
}

/** The esbuild plugins of every browser bundle, in the order in which they run. */
export function createBrowserPlugins(
  context: BuildContext,
  guard: SourceGuard,
  onWorker: (worker: WorkerBundle) => void,
  workerOptions: BuildOptions = {},
  parents?: ChunkParents,
): Plugin[] {
  const messages = compiledMessages(context.resolvedProfile.product.languages);
  const isOwn = (file: string) => context.sources.isOwn(file);
  const styles = styleModules(browserTargets, (file) => (isOwn(file) ? guard.findProblem(file) : undefined));
  const workers = webWorkers(
    { ...createBrowserOptions(context), ...workerOptions },
    [guard.plugin(), messages],
    onWorker,
  );
  const resolveLazy = (file: string, importer: string): OnResolveResult | undefined => {
    const webMessages = findWebMessages(file);
    return webMessages === undefined ? parents?.resolveLazy(file, importer) : { path: webMessages };
  };
  return [
    guard.plugin(resolveLazy, parents?.isPreserved),
    ...(parents ? [parents.plugin()] : []),
    workers,
    messages,
    styles,
    barrelImportRewriter(rewriteWorkerUrls),
  ];
}

/**
 * Bundles both web entries with splitting. Bundles a second time, with small files joined, if a lazy chunk would load
 * too many files of one plugin.
 *
 * @param digest of the sources. It is the cache key of the joins, so that unchanged sources are bundled only once
 * @throws CliError that names the import at fault, with its import chain
 */
export async function bundleWeb(context: BuildContext, entries: Entries, digest?: Promise<string>): Promise<WebBundle> {
  const { outputs, ...bundled } = await bundleWithJoins(context, entries, await digest);
  const finishedScripts = await finishScripts(context, outputs);
  const metafiles = [bundled.metafile, ...bundled.workers];
  const sources = new Map(
    metafiles.flatMap(({ outputs: files }) =>
      Object.entries(files).map(([output, { inputs }]) => [output, Object.keys(inputs).sort()] as const),
    ),
  );
  const newPaths = computeHashedNames(
    finishedScripts.scripts,
    (script) => sources.get(`${virtualFolder}/${script}`) ?? [],
  );
  const [metafile, ...workers] = metafiles.map((record) => renameOutputs(record, virtualFolder, newPaths));
  const graph = new OutputGraph(metafile ?? bundled.metafile, virtualFolder);
  const scripts = [...finishedScripts.scripts].map(
    ([oldPath, code]) => [newPaths.get(oldPath) ?? oldPath, Buffer.from(renameReferences(code, newPaths))] as const,
  );
  return {
    files: new Map([...finishedScripts.otherFiles, ...scripts].sort(([a], [b]) => (a < b ? -1 : 1))),
    joinSourceMaps: async () =>
      new Map(
        [...(await finishedScripts.joinSourceMaps())].map(([oldPath, map]) => [newPaths.get(oldPath) ?? oldPath, map]),
      ),
    graph,
    metafile: metafile ?? bundled.metafile,
    workers,
    app: graph.getEntryFile(context.sources.toDisplayPath(entries.app)),
    signIn: graph.getEntryFile(context.sources.toDisplayPath(entries.signIn)),
  };
}

async function bundleWithJoins(context: BuildContext, entries: Entries, digest?: string): Promise<Bundled> {
  let firstBundle: Bundled | undefined;
  const findJoins = async (): Promise<Joins> => {
    firstBundle = await bundleOnce(context, entries, new Map());
    return findChunkJoins(
      context,
      firstBundle.graph,
      firstBundle.graph.getEntryFile(context.sources.toDisplayPath(entries.app)),
    );
  };
  const findCachedJoins = async (key: string): Promise<Joins> => {
    const computeJoins = async () => Buffer.from(JSON.stringify([...(await findJoins())]));
    const coreFiles = Object.values(context.core).map((file: string) => context.sources.toDisplayPath(file));
    const text = await context.cache.getOrCompute(['joins', bundlerVersion, ...coreFiles, key], computeJoins);
    return new Map(JSON.parse(Buffer.from(text).toString('utf8')) as [string, string[]][]);
  };
  const joins = digest === undefined ? await findJoins() : await findCachedJoins(digest);
  return firstBundle && joins.size === 0 ? firstBundle : bundleOnce(context, entries, joins);
}

/** The result of one run of the bundler; scripts have the bundler's names. */
interface Bundled {
  readonly outputs: readonly OutputFile[];
  readonly graph: OutputGraph;
  readonly metafile: Metafile;
  readonly workers: readonly Metafile[];
}

async function bundleOnce(context: BuildContext, entries: Entries, joins: Joins): Promise<Bundled> {
  const subject = `The web bundle of '${context.resolvedProfile.name}'`;
  const guard = new SourceGuard(context, 'web');
  const workers: WorkerBundle[] = [];
  const productionOptions: BuildOptions = { minify: true, sourcemap: 'external', sourcesContent: true };
  const result = await build({
    ...createBrowserOptions(context),
    ...productionOptions,
    entryPoints: { app: entries.app, 'sign-in': entries.signIn },
    splitting: true,
    plugins: createBrowserPlugins(
      context,
      guard,
      (worker) => workers.push(worker),
      productionOptions,
      new ChunkParents(context, entries, joins),
    ),
  }).catch((error: unknown) => {
    throw toBuildError(error, subject);
  });
  const metafile = result.metafile ?? { inputs: {}, outputs: {} };
  guard.review(metafile, [entries.app, entries.signIn], subject);
  for (const worker of workers) guard.review(worker.metafile, [], `A worker in ${subject.toLowerCase()}`);

  const outputs = [...(result.outputFiles ?? []), ...workers.flatMap((worker) => worker.outputFiles)];
  return {
    outputs,
    graph: new OutputGraph(metafile, virtualFolder),
    metafile,
    workers: workers.map((worker) => worker.metafile),
  };
}

interface FinishedScripts {
  /** Minified code by the bundler's name. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Files other than scripts, by path. */
  readonly otherFiles: ReadonlyMap<string, Uint8Array>;
  /** Joined source maps by the bundler's name of their script. */
  readonly joinSourceMaps: () => Promise<ReadonlyMap<string, string>>;
}

/** Minifies scripts and separates their maps, which are joined on request. */
async function finishScripts({ root, cache }: BuildContext, outputs: readonly OutputFile[]): Promise<FinishedScripts> {
  const folder = path.join(root, virtualFolder);
  const toLocalPath = (file: OutputFile) => path.relative(folder, file.path).split(path.sep).join('/');
  const sourceMaps = new Map(
    outputs.filter((file) => file.path.endsWith('.map')).map((file) => [toLocalPath(file), file]),
  );
  const files = outputs.filter((file) => !file.path.endsWith('.map'));
  const minifiedScripts = new Map(
    await Promise.all(
      files
        .filter((file) => file.path.endsWith('.js'))
        .map(async (file): Promise<readonly [string, Script]> => {
          const name = toLocalPath(file);
          const cached = await cache.getOrCompute(['minify', minifierVersion, file.contents], async () =>
            Buffer.from(JSON.stringify(await minifyScript(name, file.text))),
          );
          return [name, JSON.parse(Buffer.from(cached).toString('utf8')) as Script];
        }),
    ),
  );
  const joinSourceMap = async ([name, { map: minifiedMap }]: readonly [string, Script]) => {
    const scriptFolder = path.join(folder, path.dirname(name));
    const toSourcePath = (source: string) =>
      path.relative(root, path.resolve(scriptFolder, source)).split(path.sep).join('/');
    const bundledMap = sourceMaps.get(`${name}.map`)?.contents ?? new Uint8Array();
    const joinedMap = await cache.getOrCompute(['map', mapJoinerVersion, minifiedMap, bundledMap], async () =>
      Buffer.from(joinMaps(minifiedMap, Buffer.from(bundledMap).toString('utf8'), toSourcePath)),
    );
    return [name, Buffer.from(joinedMap).toString('utf8')] as const;
  };
  return {
    scripts: new Map([...minifiedScripts].map(([name, { code }]) => [name, code])),
    otherFiles: new Map(
      files.filter((file) => !file.path.endsWith('.js')).map((file) => [toLocalPath(file), file.contents]),
    ),
    joinSourceMaps: async () => new Map(await Promise.all([...minifiedScripts].map(joinSourceMap))),
  };
}
