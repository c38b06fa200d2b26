import type { BuildContext } from './build-context.ts';
import { budgets } from './budgets.ts';
import type { OutputGraph } from './output-graph.ts';

/** Modules to load together with a lazy chunk, by the chunk's source. All paths are relative to the project. */
export type Joins = ReadonlyMap<string, readonly string[]>;

/** Loading a shared file up to this size costs less than a request, so chunks load it even if they do not need it. */
const maxJoinedBytes = 16 * 1024;

/**
 * Finds modules to load together, so that no lazy chunk of a plugin exceeds the limit of files merely because modules
 * are shared. Returns nothing if no chunk exceeds it. Joins only modules of the same plugin.
 */
export function findChunkJoins(
  { sources, root }: Pick<BuildContext, 'sources' | 'root'>,
  graph: OutputGraph,
  app: string,
  maxFiles: number = budgets.lazy.files,
): Joins {
  const entryFiles = new Set(graph.listStaticClosure(app));
  const findOwner = (source: string) => sources.findOwner(`${root}/${source}`);
  const lazyParts = [...graph.files.values()].flatMap(({ path, entryPoint }) =>
    entryPoint === undefined || entryFiles.has(path)
      ? []
      : [
          {
            source: entryPoint,
            owner: findOwner(entryPoint),
            files: graph.listStaticClosure(path).filter((file) => !entryFiles.has(file)),
          },
        ],
  );
  const pluginsOverLimit = new Set(
    lazyParts.filter(({ files }) => files.length > maxFiles).flatMap(({ owner }) => owner ?? []),
  );
  const joins = new Map<string, readonly string[]>();
  for (const id of pluginsOverLimit) {
    const lazyPartsOfPlugin = lazyParts.filter(({ owner }) => owner === id);
    const joinedFiles = new Set(
      lazyPartsOfPlugin
        .flatMap(({ files }) => files)
        .filter((file) => isSmallAndShared(graph, file, (source) => findOwner(source) === id)),
    );
    const modules = [...joinedFiles]
      .flatMap((file) => [...(graph.files.get(file)?.inputs.keys() ?? [])])
      .filter((source) => /\.tsx?$/.test(source))
      .sort();
    if (joinedFiles.size > 1)
      for (const { source, files } of lazyPartsOfPlugin)
        if (files.some((file) => joinedFiles.has(file))) joins.set(source, modules);
  }
  return joins;
}

function isSmallAndShared(graph: OutputGraph, path: string, isOwn: (source: string) => boolean): boolean {
  const file = graph.files.get(path);
  if (!file || file.entryPoint !== undefined || file.inputs.size === 0) return false;
  const bytes = [...file.inputs.values()].reduce((total, size) => total + size, 0);
  return bytes <= maxJoinedBytes && [...file.inputs.keys()].every(isOwn);
}
