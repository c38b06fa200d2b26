import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import type { Problem } from '../cli-error.ts';
import type { BuildContext } from './build-context.ts';
import { listJoinedFiles } from './compiled-messages.ts';
import {
  computeFingerprints,
  computePluginFingerprints,
  type Fingerprint,
  type SourceFingerprints,
} from './fingerprints.ts';
import { findTexts } from './text-search.ts';
import { virtualFolder } from './web-bundle.ts';

/** Files in which texts appear unchanged. */
const searchedFiles = /\.(?:m?js|css|html|json|svg|webmanifest|txt)$/;
/**
 * A source is a copy if it shares at least `minTexts` texts with a source of a disabled plugin, and at least the
 * fraction `minFraction` of that source's texts. Texts in more than `maxSources` sources of the product do not count.
 */
const copyRule = { minTexts: 3, minFraction: 0.5, maxSources: 2 } as const;
/** The maximum number of fingerprints that a problem names. */
const maxNamed = 5;

/**
 * Finds copied content of disabled plugins in every output: message ids, class names, texts of messages and code. Texts
 * of packages do not count.
 *
 * @param files the product's files, by path relative to its folder
 * @param metafiles of all bundles; a text that also occurs in a source of core or of an enabled plugin does not count,
 *   unless that source is itself a copy
 * @param themeCss the theme's CSS, which comes from a package that no bundle lists
 */
export async function findCopiedSources(
  context: BuildContext,
  files: ReadonlyMap<string, Uint8Array>,
  metafiles: readonly Metafile[],
  themeCss: string,
): Promise<readonly Problem[]> {
  const { resolvedProfile, cache } = context;
  const plugins = resolvedProfile.disabled.flatMap((id) => resolvedProfile.plugins.get(id) ?? []);
  if (plugins.length === 0) return [];
  const disabledPlugins = await Promise.all(
    plugins.map(async ({ manifest, folder }) => ({
      id: manifest.id,
      sources: await computePluginFingerprints(folder, cache),
    })),
  );
  const needles = disabledPlugins.flatMap(({ sources }) =>
    sources.flatMap((source) => source.fingerprints.map(({ text }) => text)),
  );
  const outputs = new Map([...files].filter(([file]) => searchedFiles.test(file)));
  const filesByText = new Map(findTexts(needles, outputs));
  if (filesByText.size === 0) return [];
  const ownTexts = await findOwnTexts(context, [...filesByText.keys()], metafiles);
  const findSuspects = (texts: OwnTexts) =>
    disabledPlugins.flatMap(({ id, sources }) =>
      sources.map((source) => ({ id, source, copied: findCopied(id, source, filesByText, texts) })),
    );
  const suspectedTexts = new Set(findSuspects(ownTexts).flatMap(({ copied }) => copied.map(({ text }) => text)));
  for (const text of suspectedTexts) if (themeCss.includes(text)) filesByText.delete(text);
  for (const text of await findPackageTexts(context, filesByText, suspectedTexts, metafiles)) filesByText.delete(text);
  const unexplainedTexts = [...suspectedTexts].filter(
    (text) => filesByText.has(text) && ![...ownTexts.values()].some((sourceTexts) => sourceTexts.has(text)),
  );
  if (unexplainedTexts.length > 0) await addParsedTexts(context, ownTexts, unexplainedTexts, metafiles);
  return findSuspects(ownTexts).flatMap(({ id, source, copied }) =>
    copied.length === 0 ? [] : [toProblem(context, id, source, copied, filesByText)],
  );
}

/** The texts of each of the product's own sources, by absolute path. */
type OwnTexts = Map<string, Set<string>>;

function findCopied(
  id: string,
  { fingerprints }: SourceFingerprints,
  filesByText: ReadonlyMap<string, readonly string[]>,
  ownTexts: OwnTexts,
): readonly Fingerprint[] {
  const findContainingSources = (text: string) => [...ownTexts.values()].filter((sourceTexts) => sourceTexts.has(text));
  // A text in many sources, such as a media query, identifies no source.
  const texts = fingerprints.filter(
    ({ kind, text }) => kind !== 'message id' && findContainingSources(text).length <= copyRule.maxSources,
  );
  const copies = [...ownTexts.values()].filter((sourceTexts) => {
    const count = texts.filter(({ text }) => sourceTexts.has(text)).length;
    return count >= copyRule.minTexts && count >= copyRule.minFraction * texts.length;
  });
  return fingerprints.filter(({ kind, text }) => {
    if (!filesByText.has(text)) return false;
    // Only a copy contains the plugin's own id.
    if (kind !== 'text' && new RegExp(`^${id}[.-]`).test(text)) return true;
    const containingSources = findContainingSources(text);
    return containingSources.length === 0 || containingSources.some((sourceTexts) => copies.includes(sourceTexts));
  });
}

async function findOwnTexts(
  { root, sources }: BuildContext,
  texts: readonly string[],
  metafiles: readonly Metafile[],
): Promise<OwnTexts> {
  const files = toAbsolutePaths(
    root,
    metafiles.flatMap(({ inputs }) => Object.keys(inputs)),
  );
  const contents = await readContents(files.filter((file) => sources.isOwn(file)));
  const ownTexts: OwnTexts = new Map();
  for (const [text, textFiles] of findTexts(texts, contents))
    for (const file of textFiles) addText(ownTexts, file, text);
  return ownTexts;
}

function addText(ownTexts: OwnTexts, file: string, text: string): void {
  ownTexts.set(file, (ownTexts.get(file) ?? new Set()).add(text));
}

/** Adds the texts of parsed sources, because line breaks in JSX and escapes hide a text from the plain search. */
async function addParsedTexts(
  { root, cache, sources }: BuildContext,
  ownTexts: OwnTexts,
  texts: readonly string[],
  metafiles: readonly Metafile[],
): Promise<void> {
  const files = toAbsolutePaths(
    root,
    metafiles.flatMap(({ inputs }) => Object.keys(inputs)),
  );
  const codeFiles = files.filter((file) => sources.isOwn(file) && isCode(file));
  for (const { file, fingerprints } of await computeFingerprints(codeFiles, cache)) {
    const parsedTexts = fingerprints.map(({ text }) => text).join('\n');
    for (const text of texts) if (parsedTexts.includes(text)) addText(ownTexts, file, text);
  }
}

/** The texts that come from a package whose code is in the same output. */
async function findPackageTexts(
  { root, sources }: BuildContext,
  filesByText: ReadonlyMap<string, readonly string[]>,
  texts: ReadonlySet<string>,
  metafiles: readonly Metafile[],
): Promise<ReadonlySet<string>> {
  const textsInPackages = new Set<string>();
  const outputPaths = new Set([...texts].flatMap((text) => filesByText.get(text) ?? []));
  if (outputPaths.size === 0) return textsInPackages;
  const outputs = metafiles.flatMap((metafile) => Object.entries(metafile.outputs));
  const inputs = outputs
    .filter(
      ([output]) =>
        outputPaths.has(`web/${output.slice(virtualFolder.length + 1)}`) || !output.startsWith(virtualFolder),
    )
    .flatMap(([, output]) => Object.keys(output.inputs));
  const contents = await readContents(toAbsolutePaths(root, inputs).filter((file) => !sources.isOwn(file)));
  for (const text of texts)
    if ([...contents.values()].some((content) => content.includes(text))) textsInPackages.add(text);
  return textsInPackages;
}

const isCode = (file: string): boolean => /\.tsx?$/.test(file);

/** Absolute paths of a bundle's inputs, without the bundler's namespaces, and of the files that were joined to them. */
function toAbsolutePaths(root: string, inputs: readonly string[]): readonly string[] {
  const files = inputs.flatMap((input) => listJoinedFiles(path.resolve(root, input.replace(/^[a-z-]+:/, ''))));
  return [...new Set(files)].filter((file) => searchedFiles.test(file) || isCode(file) || file.endsWith('.cjs'));
}

async function readContents(files: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const reads = files.map(async (file) => [file, await readFile(file).catch(() => Buffer.alloc(0))] as const);
  return new Map(await Promise.all(reads));
}

function toProblem(
  { resolvedProfile, sources }: BuildContext,
  id: string,
  { file }: SourceFingerprints,
  copiedFingerprints: readonly Fingerprint[],
  filesByText: ReadonlyMap<string, readonly string[]>,
): Problem {
  const examples = copiedFingerprints.slice(0, maxNamed).map(({ kind, text }) => {
    const filePaths = filesByText.get(text) ?? [];
    return `${kind} "${text}" in ${filePaths[0]}${filePaths.length > 1 ? ` and ${filePaths.length - 1} more` : ''}`;
  });
  const remainderLines =
    copiedFingerprints.length > maxNamed ? [`and ${copiedFingerprints.length - maxNamed} more of this file`] : [];
  return {
    cause:
      `The product contains texts of '${sources.toDisplayPath(file)}', which belongs to the plugin '${id}'. The profile ` +
      `'${resolvedProfile.name}' turns that plugin off.`,
    details: [...examples, ...remainderLines],
    remedy: 'Remove the copy. Code that two plugins need belongs in core or in the contract of one of them.',
  };
}
