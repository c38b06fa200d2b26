import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * Matches the bundler's name of a script, such as `app-2HFD7QXZ.js`. The lookbehind lets a match start only at the
 * first character of a name. Otherwise the search would start again at each character, in quadratic time.
 */
const hashedNamePattern = /(?<![\w.-])[\w.-]+-[A-Z0-9]{8}\.js/g;
const hashInNamePattern = /-[A-Z0-9]{8}(?=\.js$)/;
/** Equal to the bundler's hash length, so that source map columns stay valid. */
const hashCharacters = 8;
/** Bytes of the digest from which the hash is computed. */
const hashedBytes = 8;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Computes names with a hash of the content. Returns the new path of each script by its old path. The bundler hashes a
 * script before minification; the new hash covers the minified code without hashes, of the script and of each script
 * that it can load.
 *
 * @param scripts minified code by path; paths are relative to one folder
 * @param listSources returns the sources of a script, so that equal scripts of different sources get different names
 */
export function computeHashedNames(
  scripts: ReadonlyMap<string, string>,
  listSources: (path: string) => readonly string[],
): ReadonlyMap<string, string> {
  const scriptByBaseName = new Map([...scripts.keys()].map((script) => [path.posix.basename(script), script]));
  const references = new Map<string, readonly string[]>();
  const ownDigests = new Map<string, string>();
  for (const [script, code] of scripts) {
    const ownReferences: string[] = [];
    const codeWithoutHashes = code.replaceAll(hashedNamePattern, (baseName) => {
      const reference = scriptByBaseName.get(baseName);
      if (reference === undefined) return baseName;
      ownReferences.push(reference);
      return removeHash(baseName);
    });
    references.set(script, ownReferences);
    ownDigests.set(
      script,
      computeDigest([removeHash(script), ...listSources(script), codeWithoutHashes]).toString('hex'),
    );
  }
  // The order of references within a script matters; the order of visiting scripts does not.
  const digestsOverReferences = new Map(
    [...references].map(([script, referenced]) => [
      script,
      computeDigest([script, ...referenced].map((file) => ownDigests.get(file) ?? '')).toString('hex'),
    ]),
  );
  const newPaths = new Map<string, string>();
  for (const script of scripts.keys()) {
    const reachableDigests = [...findReachable(script, references)]
      .map((file) => digestsOverReferences.get(file) ?? '')
      .sort();
    const hash = toBase32(computeDigest([digestsOverReferences.get(script) ?? '', ...reachableDigests]));
    newPaths.set(script, script.replace(hashInNamePattern, `-${hash}`));
  }
  if (new Set(newPaths.values()).size < newPaths.size) throw new Error('Two scripts of the bundle have the same name.');
  return newPaths;
}

/** Replaces the names of referenced scripts in the code. */
export function renameReferences(code: string, newPaths: ReadonlyMap<string, string>): string {
  const newBaseNames = new Map(
    [...newPaths].map(([oldPath, newPath]) => [path.posix.basename(oldPath), path.posix.basename(newPath)]),
  );
  return code.replaceAll(hashedNamePattern, (baseName) => newBaseNames.get(baseName) ?? baseName);
}

/** Replaces the paths of scripts in the metafile. `folder` is its output folder. */
export function renameOutputs(metafile: Metafile, folder: string, newPaths: ReadonlyMap<string, string>): Metafile {
  const rename = (output: string) => {
    const newPath = newPaths.get(output.slice(folder.length + 1));
    return output.startsWith(`${folder}/`) && newPath !== undefined ? `${folder}/${newPath}` : output;
  };
  const outputs = Object.entries(metafile.outputs).map(([output, record]) => [
    rename(output),
    { ...record, imports: record.imports.map((importEntry) => ({ ...importEntry, path: rename(importEntry.path) })) },
  ]);
  return { ...metafile, outputs: Object.fromEntries(outputs) as Metafile['outputs'] };
}

function removeHash(name: string): string {
  return name.replace(hashInNamePattern, '');
}

function findReachable(startScript: string, references: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reachable = new Set([startScript]);
  for (const script of reachable) for (const reference of references.get(script) ?? []) reachable.add(reference);
  return reachable;
}

function computeDigest(parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}

function toBase32(bytes: Buffer): string {
  let bits = 0n;
  for (const byte of bytes.subarray(0, hashedBytes)) bits = (bits << 8n) | BigInt(byte);
  return Array.from({ length: hashCharacters }, (_, index) =>
    base32.charAt(Number((bits >> BigInt(5 * index)) & 31n)),
  ).join('');
}
