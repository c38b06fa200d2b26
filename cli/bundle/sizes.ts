import type { BuildContext } from './build-context.ts';
import type { WebBundle } from './web-bundle.ts';

/** Paths, bytes and gzipped bytes of a set of scripts. */
export interface Size {
  readonly paths: readonly string[];
  readonly bytes: number;
  readonly gzip: number;
}

/** A lazy part, such as a screen or a plugin's services. */
export interface LazySize extends Size {
  /** The source file that `import()` loads, relative to the project. */
  readonly source: string;
}

export interface Sizes {
  /** Scripts that the sign-in page loads at once. */
  readonly signIn: Size;
  /** Scripts that the app's entry loads, without those that the sign-in page loads at once or lazily. */
  readonly shell: Size;
  /**
   * Sorted by source. The size of a part excludes scripts that are already loaded: those of the app's entry or, for a
   * part of the sign-in page only, those of that page.
   */
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
    paths,
    bytes: sum(paths, (path) => files.get(path)?.byteLength ?? 0),
    gzip: sum(paths, (path) => gzipSizes.get(path) ?? 0),
  });
  const signInStatic = graph.listStaticClosure(bundle.signIn);
  const appStatic = graph.listStaticClosure(bundle.app);
  const signInReachable = new Set(graph.listReachable(bundle.signIn));
  const appReachable = new Set(graph.listReachable(bundle.app));
  const lazy = [...graph.files.values()].flatMap(({ path, entryPoint }): LazySize[] => {
    if (entryPoint === undefined || path === bundle.app || path === bundle.signIn) return [];
    const alreadyLoaded = appReachable.has(path) ? appStatic : signInStatic;
    return [
      {
        source: entryPoint,
        ...measureSize(graph.listStaticClosure(path).filter((script) => !alreadyLoaded.includes(script))),
      },
    ];
  });
  return {
    signIn: measureSize(signInStatic),
    shell: measureSize(appStatic.filter((path) => !signInReachable.has(path))),
    lazy: lazy.sort((a, b) => (a.source < b.source ? -1 : 1)),
    plugins: sumPluginBytes(context, bundle, appStatic),
    total: measureSize([...graph.files.keys()]),
  };
}

function sumPluginBytes(
  { resolvedProfile, sources, root }: BuildContext,
  { graph }: Pick<WebBundle, 'graph'>,
  entryPaths: readonly string[],
): Record<string, number> {
  const bytes: Record<string, number> = Object.fromEntries(resolvedProfile.enabled.map((id) => [id, 0]));
  for (const path of entryPaths) {
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
