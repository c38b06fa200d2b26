import type { Metafile } from 'esbuild';
import { proofName, type ProductProof, type ProductFileEntry } from '../../core/common/product-proof.ts';
import { computeDigest } from '../../core/server/product/verify-product.ts';
import type { BuildContext } from './build-context.ts';

/** One bundle of the product. */
export interface ProductBundle {
  /** For messages, such as `The sign-in page`. */
  readonly label: string;
  readonly metafile: Metafile;
  /** Lists the files of the product that contain an output of the metafile, relative to the product's folder. */
  readonly listFiles: (output: string) => readonly string[];
}

/**
 * Creates the proof of the bundler's files: their digests and the plugins in them.
 *
 * @param files contents by path relative to the product's folder
 * @throws Error if a metafile lists no input, because the proof would be empty
 */
export function createProof(
  context: BuildContext,
  files: ReadonlyMap<string, Uint8Array>,
  bundles: readonly ProductBundle[],
): ProductProof {
  if (bundles.length === 0) throw new Error('There is no bundle to create the proof from.');
  const { name, enabled, disabled } = context.resolvedProfile;
  const pluginsByFile = new Map<string, Set<string>>();
  for (const { label, metafile, listFiles } of bundles) {
    let examinedCount = 0;
    for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
      const sources = Object.keys(inputs);
      examinedCount += sources.length;
      for (const file of listFiles(output)) {
        if (!files.has(file)) throw new Error(`'${file}', an output of ${label}, is not in the product.`);
        pluginsByFile.set(
          file,
          new Set([...(pluginsByFile.get(file) ?? []), ...sources.flatMap((source) => listOwners(context, source))]),
        );
      }
    }
    if (examinedCount === 0)
      throw new Error(`The bundler lists no inputs of ${label}, so the proof cannot be created.`);
  }
  const fileEntries = [...files].map(([path, content]): ProductFileEntry => ({
    path,
    ...computeDigest(content),
    plugins: [...(pluginsByFile.get(path) ?? [])].sort(),
  }));
  return {
    profile: name,
    enabled: [...enabled].sort(),
    disabled: [...disabled].sort(),
    files: fileEntries.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/**
 * Adds all other files to the proof. A compressed file and a source map get the plugins of the file that they belong
 * to; the others get none.
 *
 * @param contents contents of all files, by path relative to the product's folder
 */
export function completeProof(proof: ProductProof, contents: ReadonlyMap<string, Uint8Array>): ProductProof {
  const plugins = new Map(proof.files.map((file) => [file.path, file.plugins]));
  const findPlugins = (path: string) =>
    plugins.get(path) ??
    plugins.get(path.replace(/\.(?:br|gz)$/, '')) ??
    plugins.get(path.replace(/^maps\/(server\/)?/, (_, server?: string) => server ?? 'web/').replace(/\.map$/, '')) ??
    [];
  const files = [...contents]
    .filter(([path]) => path !== proofName)
    .map(([path, content]): ProductFileEntry => ({ path, ...computeDigest(content), plugins: findPlugins(path) }));
  return { ...proof, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** A source in the metafile is relative to the project, and may have a namespace: `worker:plugins/...`. */
function listOwners(context: BuildContext, source: string): readonly string[] {
  const owner = context.sources.findOwner(`${context.root}/${source.replace(/^[a-z-]+:/, '')}`);
  return owner === undefined ? [] : [owner];
}

/** Describes each file that contains code of a disabled plugin. The guard refuses such imports; this checks the result. */
export function findContradictions(proof: ProductProof): readonly string[] {
  return proof.files.flatMap(({ path, plugins }) =>
    plugins
      .filter((id) => proof.disabled.includes(id))
      .map((id) => `'${path}' contains files of the plugin '${id}', which the profile '${proof.profile}' turns off.`),
  );
}
