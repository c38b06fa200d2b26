import type { BuildContext } from './build-context.ts';
import type { WebBundle } from './web-bundle.ts';

/** Files, bytes and gzipped bytes of a set of scripts. */
export interface Size {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly gzip: number;
}

/**
 * A lazy part: a screen, a module, a plugin's services. `source` is the module that `import()` loads, relative to the
 * project.
 */
export interface LazySize extends Size {
  readonly source: string;
}

export interface Sizes {
  readonly signIn: Size;
  /** Scripts that the app's entry loads in addition to those of the login page, lazy ones included. */
  readonly shell: Size;
  /** Sorted by source. Excludes the scripts of the app's entry, or of the login page for parts of that page. */
  readonly lazy: readonly LazySize[];
  /** Minified bytes of each plugin in the app's entry, by id. */
  readonly plugins: Readonly<Record<string, number>>;
  /** All scripts. */
  readonly total: Size;
}

/** @param getGzipBytes returns the gzipped size of the script at a path */
export async function measureSizes(
  context: BuildContext,
  bundle: Pick<WebBundle, 'files' | 'graph' | 'signIn' | 'app'>,
  getGzipBytes: (path: string) => Promise<number>,
): Promise<Sizes> {
  const { files, graph } = bundle;
  const gzipSizes = new Map(
    await Promise.all([...graph.files.keys()].map(async (path) => [path, await getGzipBytes(path)] as const)),
  );
  const measureSize = (paths: readonly string[]): Size => ({
    files: paths,
    bytes: sum(paths, (path) => files.get(path)?.byteLength ?? 0),
    gzip: sum(paths, (path) => gzipSizes.get(path) ?? 0),
  });
  const signIn = graph.listStaticClosure(bundle.signIn);
  const app = graph.listStaticClosure(bundle.app);
  const signInScripts = new Set(graph.listReachable(bundle.signIn));
  const appScripts = new Set(graph.listReachable(bundle.app));
  const lazy = [...graph.files.values()].flatMap(({ path, entryPoint }): LazySize[] => {
    if (entryPoint === undefined || path === bundle.app || path === bundle.signIn) return [];
    const alreadyLoaded = appScripts.has(path) ? app : signIn;
    return [
      {
        source: entryPoint,
        ...measureSize(graph.listStaticClosure(path).filter((file) => !alreadyLoaded.includes(file))),
      },
    ];
  });
  return {
    signIn: measureSize(signIn),
    shell: measureSize(app.filter((path) => !signInScripts.has(path))),
    lazy: lazy.sort((a, b) => (a.source < b.source ? -1 : 1)),
    plugins: sumPluginBytes(context, bundle, app),
    total: measureSize([...graph.files.keys()]),
  };
}

function sumPluginBytes(
  { resolvedProfile, sources, root }: BuildContext,
  { graph }: Pick<WebBundle, 'graph'>,
  entryFiles: readonly string[],
): Record<string, number> {
  const bytes: Record<string, number> = Object.fromEntries(resolvedProfile.enabled.map((id) => [id, 0]));
  for (const path of entryFiles) {
    for (const [input, size] of graph.files.get(path)?.inputs ?? []) {
      const owner = sources.findOwner(`${root}/${input}`);
      if (owner !== undefined) bytes[owner] = (bytes[owner] ?? 0) + size;
    }
  }
  return bytes;
}

function sum(paths: readonly string[], getValue: (path: string) => number): number {
  return paths.reduce((total, path) => total + getValue(path), 0);
}
