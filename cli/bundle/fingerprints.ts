import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import type { StepCache } from './step-cache.ts';

/** A text of a source that outputs contain unchanged, and that is unlikely to be written twice. */
export interface Fingerprint {
  readonly kind: 'message id' | 'class name' | 'text';
  readonly text: string;
}

/** The fingerprints of one source. */
export interface SourceFingerprints {
  /** Absolute path. */
  readonly file: string;
  readonly fingerprints: readonly Fingerprint[];
}

/** Raise it when the extraction changes. */
const cacheVersion = 'fingerprints 1';
/** Minimum lengths in characters. Shorter texts occur in unrelated sources too. */
const minNameLength = 10;
const minMessageLength = 16;
const minStringLength = 24;

const examinedFiles = /\.(?:tsx?|mjs|css)$|[\\/]messages[\\/]\w+\.json$/;
const excludedFiles = /\.(?:test|d)\.tsx?$|(?:^|[\\/])testing[\\/]/;
const messageFile = /[\\/]messages[\\/]\w+\.json$/;
/**
 * Characters that separate fingerprints, because sources and outputs write them differently: quotes, escapes, entities,
 * placeholders and line breaks.
 */
const separators = /["'`\\<>&${}\r\n\t\u00a0\u2028\u2029\u202f]+/;
const stringLiteral = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const importLine = /^(?:import|export)\b.*\bfrom ["'][^"']*["'];$/gm;

/** The fingerprints of all sources in a plugin's folder. */
export async function computePluginFingerprints(
  folder: string,
  cache: StepCache,
): Promise<readonly SourceFingerprints[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => examinedFiles.test(file) && !excludedFiles.test(path.relative(folder, file)))
    .sort();
  return computeFingerprints(files, cache);
}

/** Caches the fingerprints of all files as one entry, because a lookup per file would take longer than the extraction. */
export async function computeFingerprints(
  files: readonly string[],
  cache: StepCache,
): Promise<readonly SourceFingerprints[]> {
  const sources = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));
  const keyParts = sources.flatMap(([file, text]) => [path.basename(file), text]);
  const cached = await cache.getOrCompute([cacheVersion, ...keyParts], async () => {
    const fingerprintLists = await Promise.all(sources.map(([file, text]) => findFingerprints(file, text)));
    return Buffer.from(JSON.stringify(fingerprintLists));
  });
  const lists = JSON.parse(Buffer.from(cached).toString('utf8')) as Fingerprint[][];
  return files.map((file, index) => ({ file, fingerprints: lists[index] ?? [] }));
}

async function findFingerprints(file: string, text: string): Promise<readonly Fingerprint[]> {
  const fingerprints = await findInFile(file, text);
  return [...new Map(fingerprints.map((fingerprint) => [fingerprint.text, fingerprint])).values()];
}

async function findInFile(file: string, text: string): Promise<readonly Fingerprint[]> {
  if (messageFile.test(file)) return findInMessages(text);
  return file.endsWith('.css') ? findInStyles(text) : findInCode(file, text);
}

function findInMessages(text: string): readonly Fingerprint[] {
  return parseMessages(text).flatMap(([id, message]) => [
    ...(id.length >= minNameLength ? [{ kind: 'message id', text: id } as const] : []),
    ...splitFragments(message, minMessageLength),
  ]);
}

/** Returns nothing for invalid JSON, because a disabled plugin may be unfinished. */
function parseMessages(text: string): readonly (readonly [id: string, message: string])[] {
  try {
    return Object.entries(JSON.parse(text) as Record<string, string>);
  } catch {
    return [];
  }
}

function findInStyles(text: string): readonly Fingerprint[] {
  const names = [...text.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name = '']) => name);
  return names.filter((name) => name.length >= minNameLength).map((name) => ({ kind: 'class name', text: name }));
}

async function findInCode(file: string, text: string): Promise<readonly Fingerprint[]> {
  // Code that does not compile is searched unchanged, because a disabled plugin may be unfinished.
  const { code } = await transform(text, {
    loader: file.endsWith('.tsx') ? 'tsx' : file.endsWith('.mjs') ? 'js' : 'ts',
    jsx: 'automatic',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, experimentalDecorators: true } },
  }).catch(() => ({ code: text }));
  const literals = [...code.replaceAll(importLine, '').matchAll(stringLiteral)];
  return literals.flatMap(([, double, single, template]) =>
    splitFragments(double ?? single ?? template ?? '', minStringLength),
  );
}

function splitFragments(text: string, minLength: number): readonly Fingerprint[] {
  return text
    .split(separators)
    .map((fragment) => fragment.trim())
    .filter((fragment) => fragment.length >= minLength)
    .map((fragment) => ({ kind: 'text', text: fragment }));
}
