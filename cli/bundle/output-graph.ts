import type { Metafile } from 'esbuild';
import { lazyPrefix } from './chunk-parents.ts';

export interface OutputFileNode {
  /** Relative to the bundle's folder. */
  readonly path: string;
  /** The source of the entry or `import()` for which the file was written; relative to the project. */
  readonly entryPoint: string | undefined;
  readonly staticImports: readonly string[];
  readonly dynamicImports: readonly string[];
  /** Bytes of each source in the file; paths relative to the project. */
  readonly inputs: ReadonlyMap<string, number>;
}

/** The output files and how they load each other. */
export class OutputGraph {
  readonly files: ReadonlyMap<string, OutputFileNode>;

  /** @param outputFolder folder of the outputs in the metafile, without a trailing slash */
  constructor(metafile: Metafile, outputFolder: string) {
    const toLocalPath = (path: string) => path.slice(outputFolder.length + 1);
    this.files = new Map(
      Object.entries(metafile.outputs)
        .filter(([path]) => path.endsWith('.js'))
        .map(([path, output]) => {
          const listImports = (kind: string) =>
            output.imports
              .filter((importEntry) => importEntry.kind === kind && !importEntry.external)
              .map((importEntry) => toLocalPath(importEntry.path));
          const inputs = new Map(
            Object.entries(output.inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput]),
          );
          return [
            toLocalPath(path),
            {
              path: toLocalPath(path),
              entryPoint: output.entryPoint?.replace(lazyPrefix, ''),
              staticImports: listImports('import-statement'),
              dynamicImports: listImports('dynamic-import'),
              inputs,
            },
          ] as const;
        })
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  /** The path of the file whose entry point is `source`. @throws if there is none */
  getEntryFile(source: string): string {
    const entryFile = [...this.files.values()].find((file) => file.entryPoint === source);
    if (!entryFile) throw new Error(`The bundle has no entry of '${source}'.`);
    return entryFile.path;
  }

  /** The file and all files that it imports statically, directly or not; sorted. */
  listStaticClosure(startPath: string): readonly string[] {
    return this.#walk(startPath, (file) => file.staticImports);
  }

  /** The file and all files that it can load, including those of `import()`; sorted. */
  listReachable(startPath: string): readonly string[] {
    return this.#walk(startPath, (file) => [...file.staticImports, ...file.dynamicImports]);
  }

  #walk(startPath: string, listNext: (file: OutputFileNode) => readonly string[]): readonly string[] {
    const visited = new Set<string>();
    const queue = [startPath];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const file = this.files.get(path);
      if (!file || visited.has(path)) continue;
      visited.add(path);
      queue.push(...listNext(file));
    }
    return [...visited].sort();
  }
}

/**
 * The shortest import chain from an entry to a source; empty if there is none.
 *
 * @param followLazy whether to follow `import()` too
 */
export function findImportChain(
  metafile: Metafile,
  entry: string,
  source: string,
  followLazy = false,
): readonly string[] {
  const importers = new Map<string, string | undefined>([[entry, undefined]]);
  const queue = [entry];
  for (let current = queue.shift(); current !== undefined; current = queue.shift()) {
    if (current === source) {
      const chain: string[] = [];
      for (let link: string | undefined = current; link !== undefined; link = importers.get(link))
        if (!lazyPrefix.test(link)) chain.unshift(link);
      return chain;
    }
    for (const { path, kind, external } of metafile.inputs[current]?.imports ?? []) {
      if (external || importers.has(path) || (kind === 'dynamic-import' && !followLazy)) continue;
      importers.set(path, current);
      queue.push(path);
    }
  }
  return [];
}
