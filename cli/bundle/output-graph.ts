import type { Metafile } from 'esbuild';
import { lazyPrefix } from './chunk-parents.ts';

export interface OutputFileNode {
  /** Relative to the bundle's folder. */
  readonly path: string;
  /** The source of which the file is the entry, relative to the project: of the bundle, or of an `import()`. */
  readonly entryPoint: string | undefined;
  readonly statics: readonly string[];
  readonly dynamics: readonly string[];
  /** Bytes of each source in the file; paths relative to the project. */
  readonly inputs: ReadonlyMap<string, number>;
}

/** The output files and how they load each other. */
export class OutputGraph {
  readonly files: ReadonlyMap<string, OutputFileNode>;

  /** @param prefix folder of the outputs in the metafile, without a trailing slash */
  constructor(metafile: Metafile, prefix: string) {
    const local = (path: string) => path.slice(prefix.length + 1);
    this.files = new Map(
      Object.entries(metafile.outputs)
        .filter(([path]) => path.endsWith('.js'))
        .map(([path, output]) => {
          const of = (kind: string) =>
            output.imports.filter((found) => found.kind === kind && !found.external).map((found) => local(found.path));
          const inputs = new Map(
            Object.entries(output.inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput]),
          );
          return [
            local(path),
            {
              path: local(path),
              entryPoint: output.entryPoint?.replace(lazyPrefix, ''),
              statics: of('import-statement'),
              dynamics: of('dynamic-import'),
              inputs,
            },
          ] as const;
        })
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  /** The file that is the entry of `source`. */
  entry(source: string): string {
    const found = [...this.files.values()].find((file) => file.entryPoint === source);
    if (!found) throw new Error(`The bundle has no entry of '${source}'.`);
    return found.path;
  }

  /** `from` and everything that loads with it, sorted. */
  closure(from: string): readonly string[] {
    return this.#walk(from, (file) => file.statics);
  }

  /** `from` and everything that can load after it, sorted. */
  reach(from: string): readonly string[] {
    return this.#walk(from, (file) => [...file.statics, ...file.dynamics]);
  }

  #walk(from: string, next: (file: OutputFileNode) => readonly string[]): readonly string[] {
    const seen = new Set<string>();
    const waiting = [from];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const file = this.files.get(path);
      if (!file || seen.has(path)) continue;
      seen.add(path);
      waiting.push(...next(file));
    }
    return [...seen].sort();
  }
}

/**
 * The shortest import chain from an entry to a source; empty if there is none.
 *
 * @param lazy whether to follow `import()` too
 */
export function importChain(metafile: Metafile, entry: string, source: string, lazy = false): readonly string[] {
  const before = new Map<string, string | undefined>([[entry, undefined]]);
  const waiting = [entry];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (at === source) {
      const chain: string[] = [];
      for (let link: string | undefined = at; link !== undefined; link = before.get(link))
        if (!lazyPrefix.test(link)) chain.unshift(link);
      return chain;
    }
    for (const { path, kind, external } of metafile.inputs[at]?.imports ?? []) {
      if (external || before.has(path) || (kind === 'dynamic-import' && !lazy)) continue;
      before.set(path, at);
      waiting.push(path);
    }
  }
  return [];
}
