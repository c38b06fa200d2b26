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
const version = 'fingerprints 1';
/** In characters. Shorter ones occur in unrelated sources too. */
const minNameLength = 10;
const minMessageLength = 16;
const minStringLength = 24;

const examined = /\.(?:tsx?|mjs|css)$|[\\/]messages[\\/]\w+\.json$/;
const notInProducts = /\.(?:test|d)\.tsx?$|(?:^|[\\/])testing[\\/]/;
const messageFile = /[\\/]messages[\\/]\w+\.json$/;
/**
 * Characters that another notation of the same text would write differently: escapes, entities, placeholders, line
 * breaks.
 */
const cutAt = /["'`\\<>&${}\r\n\t\u00a0\u2028\u2029\u202f]+/;
const stringLiteral = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const importLine = /^(?:import|export)\b.*\bfrom ["'][^"']*["'];$/gm;

/** The fingerprints of all sources in a plugin's folder. */
export async function fingerprintsOfPlugin(folder: string, cache: StepCache): Promise<readonly SourceFingerprints[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => examined.test(file) && !notInProducts.test(path.relative(folder, file)))
    .sort();
  return computeFingerprints(files, cache);
}

/** Cached as one: a lookup per file would cost more than the extraction. */
export async function computeFingerprints(
  files: readonly string[],
  cache: StepCache,
): Promise<readonly SourceFingerprints[]> {
  const sources = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));
  const ingredients = sources.flatMap(([file, text]) => [path.basename(file), text]);
  const remembered = await cache.remember([version, ...ingredients], async () => {
    const found = await Promise.all(sources.map(([file, text]) => fingerprintsIn(file, text)));
    return Buffer.from(JSON.stringify(found));
  });
  const lists = JSON.parse(Buffer.from(remembered).toString('utf8')) as Fingerprint[][];
  return files.map((file, index) => ({ file, fingerprints: lists[index] ?? [] }));
}

async function fingerprintsIn(file: string, text: string): Promise<readonly Fingerprint[]> {
  const found = messageFile.test(file)
    ? ofMessages(text)
    : file.endsWith('.css')
      ? ofStyles(text)
      : await ofCode(file, text);
  return [...new Map(found.map((fingerprint) => [fingerprint.text, fingerprint])).values()];
}

function ofMessages(text: string): readonly Fingerprint[] {
  return messagesIn(text).flatMap(([id, message]) => [
    ...(id.length >= minNameLength ? [{ kind: 'message id', text: id } as const] : []),
    ...fragments(message, minMessageLength),
  ]);
}

/** None for invalid JSON: a disabled plugin may be unfinished. */
function messagesIn(text: string): readonly (readonly [id: string, message: string])[] {
  try {
    return Object.entries(JSON.parse(text) as Record<string, string>);
  } catch {
    return [];
  }
}

function ofStyles(text: string): readonly Fingerprint[] {
  const names = [...text.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name = '']) => name);
  return names.filter((name) => name.length >= minNameLength).map((name) => ({ kind: 'class name', text: name }));
}

async function ofCode(file: string, text: string): Promise<readonly Fingerprint[]> {
  // A disabled plugin may be unfinished: text that does not compile is read unchanged.
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
    fragments(double ?? single ?? template ?? '', minStringLength),
  );
}

function fragments(text: string, minLength: number): readonly Fingerprint[] {
  return text
    .split(cutAt)
    .map((fragment) => fragment.trim())
    .filter((fragment) => fragment.length >= minLength)
    .map((fragment) => ({ kind: 'text', text: fragment }));
}
