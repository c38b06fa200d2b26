import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * Matches the bundler's name of a script, such as `app-2HFD7QXZ.js`. The lookbehind tries each run of characters once:
 * without it the time is quadratic in the length of a run.
 */
const hashedName = /(?<![\w.-])[\w.-]+-[A-Z0-9]{8}\.js/g;
const hashInName = /-[A-Z0-9]{8}(?=\.js$)/;
/** Equal to the bundler's hash length, so that source map columns stay valid. */
const hashLength = 8;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Computes the new name of each script by its old one. The bundler hashes a script before minification; the new hash
 * covers its final bytes and those of every script that it can load.
 *
 * @param scripts minified code by path; paths are relative to one folder
 * @param listSources returns the sources of a script, so that equal scripts of different sources get different names
 */
export function computeContentNames(
  scripts: ReadonlyMap<string, string>,
  listSources: (path: string) => readonly string[],
): ReadonlyMap<string, string> {
  const scriptByName = new Map([...scripts.keys()].map((script) => [path.posix.basename(script), script]));
  const references = new Map<string, readonly string[]>();
  const ownDigests = new Map<string, string>();
  for (const [script, code] of scripts) {
    const ownReferences: string[] = [];
    const codeWithoutHashes = code.replaceAll(hashedName, (name) => {
      const reference = scriptByName.get(name);
      if (reference === undefined) return name;
      ownReferences.push(reference);
      return name.replace(hashInName, '');
    });
    references.set(script, ownReferences);
    ownDigests.set(
      script,
      computeDigest([removeHash(script), ...listSources(script), codeWithoutHashes]).toString('hex'),
    );
  }
  // The order of references within a script matters; the order of visiting scripts does not.
  const digestsWithReferences = new Map(
    [...references].map(([script, referenced]) => [
      script,
      computeDigest([script, ...referenced].map((name) => ownDigests.get(name) ?? '')).toString('hex'),
    ]),
  );
  const names = new Map<string, string>();
  for (const script of scripts.keys()) {
    const reachable = [...findReachable(script, references)]
      .map((name) => digestsWithReferences.get(name) ?? '')
      .sort();
    const hash = toBase32(computeDigest([digestsWithReferences.get(script) ?? '', ...reachable]));
    names.set(script, script.replace(hashInName, `-${hash}`));
  }
  if (new Set(names.values()).size < names.size) throw new Error('Two scripts of the bundle have the same name.');
  return names;
}

/** Replaces the names of referenced scripts in the code. */
export function renameReferences(code: string, names: ReadonlyMap<string, string>): string {
  const newNames = new Map(
    [...names].map(([oldPath, newPath]) => [path.posix.basename(oldPath), path.posix.basename(newPath)]),
  );
  return code.replaceAll(hashedName, (name) => newNames.get(name) ?? name);
}

/** Replaces the names of scripts in the metafile. `folder` is its output folder. */
export function renameOutputs(metafile: Metafile, folder: string, names: ReadonlyMap<string, string>): Metafile {
  const rename = (output: string) => {
    const newName = names.get(output.slice(folder.length + 1));
    return output.startsWith(`${folder}/`) && newName !== undefined ? `${folder}/${newName}` : output;
  };
  const outputs = Object.entries(metafile.outputs).map(([output, record]) => [
    rename(output),
    { ...record, imports: record.imports.map((importEntry) => ({ ...importEntry, path: rename(importEntry.path) })) },
  ]);
  return { ...metafile, outputs: Object.fromEntries(outputs) as Metafile['outputs'] };
}

function removeHash(script: string): string {
  return script.replace(hashInName, '');
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
  for (const byte of bytes.subarray(0, hashLength)) bits = (bits << 8n) | BigInt(byte);
  return Array.from({ length: hashLength }, (_, index) =>
    base32.charAt(Number((bits >> BigInt(5 * index)) & 31n)),
  ).join('');
}
