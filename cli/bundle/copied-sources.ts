import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import type { Problem } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import {
  computeFingerprints,
  fingerprintsOfPlugin,
  type Fingerprint,
  type SourceFingerprints,
} from './fingerprints.ts';
import { findTexts } from './text-search.ts';
import { virtualFolder } from './web-bundle.ts';

/** Outputs that contain texts unchanged. */
const searched = /\.(?:m?js|css|html|json|svg|webmanifest|txt)$/;
/**
 * A source that shares at least `minTexts` texts with one of a disabled plugin, and at least `minPart` of them, is a
 * copy; fewer are coincidence. Texts in more than `maxHolders` own sources do not count.
 */
const copyRule = { minTexts: 3, minPart: 0.5, maxHolders: 2 } as const;
/** How many fingerprints a problem names. */
const maxNamed = 5;

/**
 * Finds copied content of disabled plugins in every output: message ids, class names, texts of messages and code. Texts
 * of packages do not count.
 *
 * @param files the product's files, by path relative to its folder
 * @param metafiles of all bundles: a text in a source of core or an enabled plugin is shared, unless that source copies
 *   a source of the disabled plugin
 * @param themeCss from a package's theme, which no bundle lists
 */
export async function copiedSources(
  context: BuildContext,
  files: ReadonlyMap<string, Uint8Array>,
  metafiles: readonly Metafile[],
  themeCss: string,
): Promise<readonly Problem[]> {
  const { resolved, cache } = context;
  const plugins = resolved.disabled.flatMap((id) => resolved.plugins.get(id) ?? []);
  if (plugins.length === 0) return [];
  const off = await Promise.all(
    plugins.map(async ({ manifest, folder }) => ({
      id: manifest.id,
      sources: await fingerprintsOfPlugin(folder, cache),
    })),
  );
  const needles = off.flatMap(({ sources }) =>
    sources.flatMap((source) => source.fingerprints.map(({ text }) => text)),
  );
  const outputs = new Map([...files].filter(([file]) => searched.test(file)));
  const found = new Map(findTexts(needles, outputs));
  if (found.size === 0) return [];
  const own = await ownTexts(context, [...found.keys()], metafiles);
  const suspectsIn = (holders: OwnTexts) =>
    off.flatMap(({ id, sources }) =>
      sources.map((source) => ({ id, source, copied: findCopied(id, source, found, holders) })),
    );
  const suspected = new Set(suspectsIn(own).flatMap(({ copied }) => copied.map(({ text }) => text)));
  for (const text of suspected) if (themeCss.includes(text)) found.delete(text);
  for (const text of await packageTexts(context, found, suspected, metafiles)) found.delete(text);
  const unheld = [...suspected].filter((text) => found.has(text) && ![...own.values()].some((held) => held.has(text)));
  if (unheld.length > 0) await addTextsAsRead(context, own, unheld, metafiles);
  return suspectsIn(own).flatMap(({ id, source, copied }) =>
    copied.length === 0 ? [] : [toProblem(context, id, source, copied, found)],
  );
}

/** The texts of each of the product's own sources, by absolute path. */
type OwnTexts = Map<string, Set<string>>;

function findCopied(
  id: string,
  { fingerprints }: SourceFingerprints,
  found: ReadonlyMap<string, readonly string[]>,
  own: OwnTexts,
): readonly Fingerprint[] {
  const findHolders = (text: string) => [...own.values()].filter((held) => held.has(text));
  // Texts in many sources, such as a media query, identify none.
  const texts = fingerprints.filter(
    ({ kind, text }) => kind !== 'message id' && findHolders(text).length <= copyRule.maxHolders,
  );
  const copies = [...own.values()].filter((held) => {
    const count = texts.filter(({ text }) => held.has(text)).length;
    return count >= copyRule.minTexts && count >= copyRule.minPart * texts.length;
  });
  return fingerprints.filter(({ kind, text }) => {
    if (!found.has(text)) return false;
    // Only a copy contains the plugin's own id.
    if (kind !== 'text' && new RegExp(`^${id}[.-]`).test(text)) return true;
    const holders = findHolders(text);
    return holders.length === 0 || holders.some((held) => copies.includes(held));
  });
}

async function ownTexts(
  { root, sources }: BuildContext,
  texts: readonly string[],
  metafiles: readonly Metafile[],
): Promise<OwnTexts> {
  const files = absolute(
    root,
    metafiles.flatMap(({ inputs }) => Object.keys(inputs)),
  );
  const contents = await readContents(files.filter((file) => sources.isOwn(file)));
  const own: OwnTexts = new Map();
  for (const [text, held] of findTexts(texts, contents)) for (const file of held) hold(own, file, text);
  return own;
}

function hold(own: OwnTexts, file: string, text: string): void {
  own.set(file, (own.get(file) ?? new Set()).add(text));
}

/** JSX breaks lines and escapes hide characters, so own sources are parsed like those of disabled plugins. */
async function addTextsAsRead(
  { root, cache, sources }: BuildContext,
  own: OwnTexts,
  texts: readonly string[],
  metafiles: readonly Metafile[],
): Promise<void> {
  const files = absolute(
    root,
    metafiles.flatMap(({ inputs }) => Object.keys(inputs)),
  );
  const code = files.filter((file) => sources.isOwn(file) && isCode(file));
  for (const { file, fingerprints } of await computeFingerprints(code, cache)) {
    const said = fingerprints.map(({ text }) => text).join('\n');
    for (const text of texts) if (said.includes(text)) hold(own, file, text);
  }
}

/** The texts of a package in the outputs where they were found. */
async function packageTexts(
  { root, sources }: BuildContext,
  found: ReadonlyMap<string, readonly string[]>,
  texts: ReadonlySet<string>,
  metafiles: readonly Metafile[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const places = new Set([...texts].flatMap((text) => found.get(text) ?? []));
  if (places.size === 0) return known;
  const outputs = metafiles.flatMap((metafile) => Object.entries(metafile.outputs));
  const inputs = outputs
    .filter(
      ([output]) => places.has(`web/${output.slice(virtualFolder.length + 1)}`) || !output.startsWith(virtualFolder),
    )
    .flatMap(([, output]) => Object.keys(output.inputs));
  const contents = await readContents(absolute(root, inputs).filter((file) => !sources.isOwn(file)));
  for (const text of texts) if ([...contents.values()].some((content) => content.includes(text))) known.add(text);
  return known;
}

const isCode = (file: string): boolean => /\.tsx?$/.test(file);

/** Absolute paths of a bundle's inputs, without the bundler's namespaces. */
function absolute(root: string, inputs: readonly string[]): readonly string[] {
  const files = inputs.map((input) => path.resolve(root, input.replace(/^[a-z-]+:/, '')));
  return [...new Set(files)].filter((file) => searched.test(file) || isCode(file) || file.endsWith('.cjs'));
}

async function readContents(files: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const read = files.map(async (file) => [file, await readFile(file).catch(() => Buffer.alloc(0))] as const);
  return new Map(await Promise.all(read));
}

function toProblem(
  { resolved, sources }: BuildContext,
  id: string,
  { file }: SourceFingerprints,
  copied: readonly Fingerprint[],
  found: ReadonlyMap<string, readonly string[]>,
): Problem {
  const named = copied.slice(0, maxNamed).map(({ kind, text }) => {
    const places = found.get(text) ?? [];
    return `${kind} "${text}" in ${places[0]}${places.length > 1 ? ` and ${places.length - 1} more` : ''}`;
  });
  const more = copied.length > maxNamed ? [`and ${copied.length - maxNamed} more of this file`] : [];
  return {
    cause:
      `The product holds what '${sources.display(file)}' says, which belongs to the plugin '${id}', and the profile ` +
      `'${resolved.name}' turns that off.`,
    details: [...named, ...more],
    remedy: 'Take the copy out. What two plugins need belongs into core, or into the contract of one of them.',
  };
}
