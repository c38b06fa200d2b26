import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** How the bundler names a script: `app-2HFD7QXZ.js`. */
const hashedName = /[\w.-]+-[A-Z0-9]{8}\.js/g;
const hashInName = /-[A-Z0-9]{8}(?=\.js$)/;
/** Equal to the bundler's hash length, so that source map columns stay valid. */
const hashLength = 8;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * New names for scripts by their old ones. The bundler hashes a script before minification; the new hash covers its
 * final bytes and those of every script that it can load.
 *
 * @param scripts minified code by path; paths are relative to one folder
 * @param listSources the sources of a script: scripts with equal bytes and different sources stay separate
 */
export function contentNames(
  scripts: ReadonlyMap<string, string>,
  listSources: (path: string) => readonly string[],
): ReadonlyMap<string, string> {
  const places = new Map([...scripts.keys()].map((place) => [path.posix.basename(place), place]));
  const references = new Map<string, readonly string[]>();
  const alone = new Map<string, string>();
  for (const [place, code] of scripts) {
    const found: string[] = [];
    const blank = code.replaceAll(hashedName, (name) => {
      const reference = places.get(name);
      if (reference === undefined) return name;
      found.push(reference);
      return name.replace(hashInName, '');
    });
    references.set(place, found);
    alone.set(place, digest([toStem(place), ...listSources(place), blank]).toString('hex'));
  }
  // The order of references within a script matters; the order of visiting scripts does not.
  const withReferences = new Map(
    [...references].map(([place, found]) => [
      place,
      digest([place, ...found].map((name) => alone.get(name) ?? '')).toString('hex'),
    ]),
  );
  const names = new Map<string, string>();
  for (const place of scripts.keys()) {
    const reached = [...findReached(place, references)].map((name) => withReferences.get(name) ?? '').sort();
    const hash = toBase32(digest([withReferences.get(place) ?? '', ...reached]));
    names.set(place, place.replace(hashInName, `-${hash}`));
  }
  if (new Set(names.values()).size < names.size) throw new Error('Two scripts of the bundle were given one name.');
  return names;
}

/** Replaces the names of referenced scripts in the code. */
export function renameReferences(code: string, names: ReadonlyMap<string, string>): string {
  const known = new Map([...names].map(([from, to]) => [path.posix.basename(from), path.posix.basename(to)]));
  return code.replaceAll(hashedName, (name) => known.get(name) ?? name);
}

/** Replaces names in the metafile. `folder`: of the outputs, as in the metafile. */
export function renameOutputs(metafile: Metafile, folder: string, names: ReadonlyMap<string, string>): Metafile {
  const rename = (output: string) => {
    const to = names.get(output.slice(folder.length + 1));
    return output.startsWith(`${folder}/`) && to !== undefined ? `${folder}/${to}` : output;
  };
  const outputs = Object.entries(metafile.outputs).map(([output, record]) => [
    rename(output),
    { ...record, imports: record.imports.map((found) => ({ ...found, path: rename(found.path) })) },
  ]);
  return { ...metafile, outputs: Object.fromEntries(outputs) as Metafile['outputs'] };
}

function toStem(place: string): string {
  return place.replace(hashInName, '');
}

function findReached(from: string, references: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set([from]);
  for (const place of reached) for (const reference of references.get(place) ?? []) reached.add(reference);
  return reached;
}

function digest(parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}

function toBase32(bytes: Buffer): string {
  let bits = 0n;
  for (const byte of bytes.subarray(0, hashLength)) bits = (bits << 8n) | BigInt(byte);
  return Array.from({ length: hashLength }, (_, at) => base32.charAt(Number((bits >> BigInt(5 * at)) & 31n))).join('');
}
