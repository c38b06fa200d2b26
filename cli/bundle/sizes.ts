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
  /** What the app's entry loads in addition to the scripts that the sign-in page has loaded, including its lazy ones. */
  readonly shell: Size;
  /** Sorted by source. Each without the scripts of the app's entry, or of the sign-in page for the page's own parts. */
  readonly lazy: readonly LazySize[];
  /** Minified bytes of each plugin in the app's entry, by id. */
  readonly plugins: Readonly<Record<string, number>>;
  /** All scripts. */
  readonly total: Size;
}

/** @param gzipBytes returns the gzipped size of the script at a path */
export async function measure(
  context: BuildContext,
  bundle: Pick<WebBundle, 'files' | 'graph' | 'signIn' | 'app'>,
  gzipBytes: (path: string) => Promise<number>,
): Promise<Sizes> {
  const { files, graph } = bundle;
  const zipped = new Map(
    await Promise.all([...graph.files.keys()].map(async (path) => [path, await gzipBytes(path)] as const)),
  );
  const measureSize = (paths: readonly string[]): Size => ({
    files: paths,
    bytes: sum(paths, (path) => files.get(path)?.byteLength ?? 0),
    gzip: sum(paths, (path) => zipped.get(path) ?? 0),
  });
  const signIn = graph.closure(bundle.signIn);
  const app = graph.closure(bundle.app);
  const ofSignIn = new Set(graph.reach(bundle.signIn));
  const ofApp = new Set(graph.reach(bundle.app));
  const lazy = [...graph.files.values()].flatMap(({ path, entryPoint }): LazySize[] => {
    if (entryPoint === undefined || path === bundle.app || path === bundle.signIn) return [];
    const alreadyLoaded = ofApp.has(path) ? app : signIn;
    return [
      { source: entryPoint, ...measureSize(graph.closure(path).filter((file) => !alreadyLoaded.includes(file))) },
    ];
  });
  return {
    signIn: measureSize(signIn),
    shell: measureSize(app.filter((path) => !ofSignIn.has(path))),
    lazy: lazy.sort((a, b) => (a.source < b.source ? -1 : 1)),
    plugins: pluginBytes(context, bundle, app),
    total: measureSize([...graph.files.keys()]),
  };
}

function pluginBytes(
  { resolved, sources, root }: BuildContext,
  { graph }: Pick<WebBundle, 'graph'>,
  eager: readonly string[],
): Record<string, number> {
  const bytes: Record<string, number> = Object.fromEntries(resolved.enabled.map((id) => [id, 0]));
  for (const path of eager) {
    for (const [input, size] of graph.files.get(path)?.inputs ?? []) {
      const owner = sources.findOwner(`${root}/${input}`);
      if (owner !== undefined) bytes[owner] = (bytes[owner] ?? 0) + size;
    }
  }
  return bytes;
}

function sum(paths: readonly string[], of: (path: string) => number): number {
  return paths.reduce((total, path) => total + of(path), 0);
}
