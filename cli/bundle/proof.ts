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

export interface ProofPart {
  /** Folder of the part in the product: `web` or `server`. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly metafiles: readonly Metafile[];
  /** Folder of the outputs as the metafiles have it. */
  readonly prefix: string;
}

/** Lists every file of the product with the plugins in it. Throws where the metafiles name no input of ours at all: such a proof proves nothing. */
export function prove(context: BuildContext, parts: readonly ProofPart[]): Proof {
  const { name, enabled, disabled } = context.resolved;
  let examined = 0;
  const files = parts.flatMap(({ folder, files: contents, metafiles, prefix }) => {
    const owners = new Map<string, ReadonlySet<string>>();
    for (const metafile of metafiles) {
      for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
        const sources = Object.keys(inputs);
        examined += sources.length;
        owners.set(output.slice(prefix.length + 1), new Set(sources.flatMap((source) => ownerOf(context, source))));
      }
    }
    return [...contents].map(([path, content]): ProvenFile => ({ path: `${folder}/${path}`, bytes: content.byteLength, plugins: [...(owners.get(path) ?? [])].sort() }));
  });
  if (examined === 0) throw new Error('The proof examined no input: the bundler wrote none down.');
  return { profile: name, enabled: [...enabled].sort(), disabled: [...disabled].sort(), files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** A source of the metafile is relative to the project, and may carry the name of the step that made it: `worker:plugins/...`. */
function ownerOf(context: BuildContext, source: string): readonly string[] {
  const owner = context.sources.ownerOf(`${context.root}/${source.replace(/^[a-z-]+:/, '')}`);
  return owner === undefined ? [] : [owner];
}

/** Sentences about plugins that are off and yet in a file. The guard has refused them before; this looks at what was written. */
export function contradictions(proof: Proof): readonly string[] {
  return proof.files.flatMap(({ path, plugins }) => plugins.filter((id) => proof.disabled.includes(id)).map((id) => `'${path}' holds files of the plugin '${id}', which the profile '${proof.profile}' turns off.`));
}
