import type { Metafile } from 'esbuild';
import { proofName, type ProductProof, type ProvenFile } from '../../core/common/product-proof.ts';
import { computeDigest } from '../../core/server/product/verify-product.ts';
import type { BuildContext } from './build-context.ts';

/** One bundle that went into the product. */
export interface ProofPart {
  /** For messages, such as `The login page`. */
  readonly what: string;
  readonly metafile: Metafile;
  /** The product's files, relative to its folder, with content of an output; `output` as in the metafile. */
  readonly listFiles: (output: string) => readonly string[];
}

/**
 * Lists the bundler's files with the plugins in them.
 *
 * @param files contents by path relative to the product's folder
 * @throws Error if the list of one part names no input: such a proof proves nothing
 */
export function prove(
  context: BuildContext,
  files: ReadonlyMap<string, Uint8Array>,
  parts: readonly ProofPart[],
): ProductProof {
  if (parts.length === 0) throw new Error('The proof examined no part.');
  const { name, enabled, disabled } = context.resolved;
  const owners = new Map<string, Set<string>>();
  for (const { what, metafile, listFiles } of parts) {
    let examined = 0;
    for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
      const sources = Object.keys(inputs);
      examined += sources.length;
      for (const file of listFiles(output)) {
        if (!files.has(file))
          throw new Error(`The proof knows nothing of '${file}': ${what} writes it, and it is not in the product.`);
        owners.set(
          file,
          new Set([...(owners.get(file) ?? []), ...sources.flatMap((source) => findOwner(context, source))]),
        );
      }
    }
    if (examined === 0)
      throw new Error(`The proof examined no input of one part: ${what}. The bundler wrote none down.`);
  }
  const proven = [...files].map(([path, content]): ProvenFile => ({
    path,
    ...computeDigest(content),
    plugins: [...(owners.get(path) ?? [])].sort(),
  }));
  return {
    profile: name,
    enabled: [...enabled].sort(),
    disabled: [...disabled].sort(),
    files: proven.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/**
 * Completes the proof with all other files, which contain no plugin, except compressed forms and source maps of files
 * that do.
 *
 * @param written contents of all files, by path relative to the product's folder
 */
export function completeProof(proof: ProductProof, written: ReadonlyMap<string, Uint8Array>): ProductProof {
  const plugins = new Map(proof.files.map((file) => [file.path, file.plugins]));
  const findPlugins = (path: string) =>
    plugins.get(path) ??
    plugins.get(path.replace(/\.(?:br|gz)$/, '')) ??
    plugins.get(path.replace(/^maps\/(server\/)?/, (_, server?: string) => server ?? 'web/').replace(/\.map$/, '')) ??
    [];
  const files = [...written]
    .filter(([path]) => path !== proofName)
    .map(([path, content]): ProvenFile => ({ path, ...computeDigest(content), plugins: findPlugins(path) }));
  return { ...proof, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** A source in the metafile is relative to the project, and may have a namespace: `worker:plugins/...`. */
function findOwner(context: BuildContext, source: string): readonly string[] {
  const owner = context.sources.findOwner(`${context.root}/${source.replace(/^[a-z-]+:/, '')}`);
  return owner === undefined ? [] : [owner];
}

/** Messages about disabled plugins that are in a file. The guard already refuses them; this checks the result. */
export function contradictions(proof: ProductProof): readonly string[] {
  return proof.files.flatMap(({ path, plugins }) =>
    plugins
      .filter((id) => proof.disabled.includes(id))
      .map((id) => `'${path}' holds files of the plugin '${id}', which the profile '${proof.profile}' turns off.`),
  );
}
