import type { BuildContext } from './build-context.ts';
import { budgets } from './budgets.ts';
import type { OutputGraph } from './output-graph.ts';

/** By the source of a lazy part: modules to load with it, so that they share one file. All relative to the project. */
export type Joins = ReadonlyMap<string, readonly string[]>;

/** A shared file smaller than this costs less than its request: parts that do not need it load it too. */
const small = 16 * 1024;

/**
 * What to load together, so that no part of a plugin loads more files than the limit merely because modules are shared.
 * Empty if no part exceeds the limit. Each plugin is considered separately: no plugin's code moves to another's.
 */
export function findChunkJoins(
  { sources, root }: Pick<BuildContext, 'sources' | 'root'>,
  graph: OutputGraph,
  app: string,
  bar: number = budgets.lazy.files,
): Joins {
  const first = new Set(graph.closure(app));
  const findOwner = (source: string) => sources.findOwner(`${root}/${source}`);
  const parts = [...graph.files.values()].flatMap(({ path, entryPoint }) =>
    entryPoint === undefined || first.has(path)
      ? []
      : [
          {
            source: entryPoint,
            owner: findOwner(entryPoint),
            files: graph.closure(path).filter((file) => !first.has(file)),
          },
        ],
  );
  const crowded = new Set(parts.filter(({ files }) => files.length > bar).flatMap(({ owner }) => owner ?? []));
  const joins = new Map<string, readonly string[]>();
  for (const id of crowded) {
    const own = parts.filter(({ owner }) => owner === id);
    const joined = new Set(
      own
        .flatMap(({ files }) => files)
        .filter((file) => isSmallAndShared(graph, file, (source) => findOwner(source) === id)),
    );
    const modules = [...joined]
      .flatMap((file) => [...(graph.files.get(file)?.inputs.keys() ?? [])])
      .filter((source) => /\.tsx?$/.test(source))
      .sort();
    if (joined.size > 1)
      for (const { source, files } of own) if (files.some((file) => joined.has(file))) joins.set(source, modules);
  }
  return joins;
}

function isSmallAndShared(graph: OutputGraph, path: string, isOwn: (source: string) => boolean): boolean {
  const file = graph.files.get(path);
  if (!file || file.entryPoint !== undefined || file.inputs.size === 0) return false;
  const bytes = [...file.inputs.values()].reduce((total, size) => total + size, 0);
  return bytes <= small && [...file.inputs.keys()].every(isOwn);
}
