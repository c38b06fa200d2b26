import type { Metafile } from 'esbuild';
import type { BuildContext } from './build-context.ts';

/** What is in a product and what is not, as the bundler wrote it down: `proof.json`. */
export interface Proof {
  readonly profile: string;
  readonly enabled: readonly string[];
  /** All known plugins that are off. */
  readonly disabled: readonly string[];
  readonly files: readonly ProvenFile[];
}

export interface ProvenFile {
  /** Relative to the product's folder. */
  readonly path: string;
  readonly bytes: number;
  /** Ids of the plugins whose files went into it. */
  readonly plugins: readonly string[];
}

/** One bundle that went into the product. */
export interface ProofPart {
  /** For a sentence, such as `The login page`. */
  readonly what: string;
  readonly metafile: Metafile;
  /** The product's files, relative to its folder, that hold what is in an output; `output` as the metafile has it. */
  readonly filesOf: (output: string) => readonly string[];
}

/**
 * Lists every file of the product with the plugins in it.
 *
 * @param files contents by path relative to the product's folder
 * @throws Error where the list of one part names no input: such a proof proves nothing
 */
export function prove(
  context: BuildContext,
  files: ReadonlyMap<string, Uint8Array>,
  parts: readonly ProofPart[],
): Proof {
  if (parts.length === 0) throw new Error('The proof examined no part.');
  const { name, enabled, disabled } = context.resolved;
  const owners = new Map<string, Set<string>>();
  for (const { what, metafile, filesOf } of parts) {
    let examined = 0;
    for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
      const sources = Object.keys(inputs);
      examined += sources.length;
      for (const file of filesOf(output)) {
        if (!files.has(file))
          throw new Error(`The proof knows nothing of '${file}': ${what} writes it, and it is not in the product.`);
        owners.set(
          file,
          new Set([...(owners.get(file) ?? []), ...sources.flatMap((source) => ownerOf(context, source))]),
        );
      }
    }
    if (examined === 0)
      throw new Error(`The proof examined no input of one part: ${what}. The bundler wrote none down.`);
  }
  const proven = [...files].map(([path, content]): ProvenFile => ({
    path,
    bytes: content.byteLength,
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
 * A source of the metafile is relative to the project, and may carry the name of the step that made it:
 * `worker:plugins/...`.
 */
function ownerOf(context: BuildContext, source: string): readonly string[] {
  const owner = context.sources.ownerOf(`${context.root}/${source.replace(/^[a-z-]+:/, '')}`);
  return owner === undefined ? [] : [owner];
}

/**
 * Sentences about plugins that are off and yet in a file. The guard has refused them before; this looks at what was
 * written.
 */
export function contradictions(proof: Proof): readonly string[] {
  return proof.files.flatMap(({ path, plugins }) =>
    plugins
      .filter((id) => proof.disabled.includes(id))
      .map((id) => `'${path}' holds files of the plugin '${id}', which the profile '${proof.profile}' turns off.`),
  );
}
