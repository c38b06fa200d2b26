import type { Metafile } from 'esbuild';
import { proofName, type ProductProof, type ProvenFile } from '../../core/common/product-proof.ts';
import { computeDigest } from '../../core/server/product/verify-product.ts';
import type { BuildContext } from './build-context.ts';

/** One bundle that went into the product. */
export interface ProofPart {
  /** For a sentence, such as `The login page`. */
  readonly what: string;
  readonly metafile: Metafile;
  /** The product's files, relative to its folder, that hold what is in an output; `output` as the metafile has it. */
  readonly listFiles: (output: string) => readonly string[];
}

/**
 * Lists the files that the bundler wrote, with the plugins in them.
 *
 * @param files contents by path relative to the product's folder
 * @throws Error where the list of one part names no input: such a proof proves nothing
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
 * The proof of the whole product: what was written beside the bundler's files holds no plugin of its own, but for the
 * compressed forms and the source maps of one that does.
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

/**
 * A source of the metafile is relative to the project, and may carry the name of the step that made it:
 * `worker:plugins/...`.
 */
function findOwner(context: BuildContext, source: string): readonly string[] {
  const owner = context.sources.findOwner(`${context.root}/${source.replace(/^[a-z-]+:/, '')}`);
  return owner === undefined ? [] : [owner];
}

/**
 * Sentences about plugins that are off and yet in a file. The guard has refused them before; this looks at what was
 * written.
 */
export function contradictions(proof: ProductProof): readonly string[] {
  return proof.files.flatMap(({ path, plugins }) =>
    plugins
      .filter((id) => proof.disabled.includes(id))
      .map((id) => `'${path}' holds files of the plugin '${id}', which the profile '${proof.profile}' turns off.`),
  );
}
