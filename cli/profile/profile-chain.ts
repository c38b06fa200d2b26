import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';
import { nearestTo } from './nearest-to.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A profile laid over the profiles that it extends. */
export interface MergedProfile {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly value: JsonObject;
  /** For each JSON pointer of `value`, the file (absolute) that set it. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Every profile of the folder, by name. */
export async function profileNames(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.json') && name !== 'profile.schema.json')
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/**
 * Reads a profile and what it extends. Objects are merged key by key, anything else is replaced by the nearer file;
 * `"type": "EMAIL_PW"` takes inherited identity providers out.
 *
 * @param nameOrPath a name in the profiles folder, or the path of a file
 * @throws CliError for a file that is absent or no JSON object, and for a circle of `extends`
 */
export async function readProfileChain(profilesFolder: string, nameOrPath: string): Promise<MergedProfile> {
  const isPath = nameOrPath.includes('/') || nameOrPath.includes(path.sep) || nameOrPath.endsWith('.json');
  const first = isPath ? path.resolve(nameOrPath) : path.join(profilesFolder, `${nameOrPath}.json`);
  const chain: { readonly file: string; readonly value: JsonObject }[] = [];
  const seen: string[] = [];
  for (let file: string | undefined = first; file !== undefined;) {
    const trail = [...seen, file].map((name) => path.basename(name, '.json'));
    if (seen.includes(file))
      throw invalid(
        first,
        '/extends',
        `The profiles extend each other in a circle: ${trail.join(' -> ')}.`,
        'Take one `extends` out.',
      );
    seen.push(file);
    const value: JsonObject = await readObject(file, profilesFolder, chain.at(-1)?.file);
    chain.push({ file, value });
    const parent: Json | undefined = value.extends;
    if (parent !== undefined && typeof parent !== 'string')
      throw invalid(file, '/extends', 'Must be the name of a profile.', 'Write a name such as "default".');
    file = parent === undefined ? undefined : path.join(profilesFolder, `${parent}.json`);
  }
  const origins = new Map<string, string>();
  const value = chain
    .reverse()
    .reduce<JsonObject>(
      (under, over) => merge(withoutProviders(under, over.value, origins), over.value, '', over.file, origins),
      {},
    );
  return { name: path.basename(first, '.json'), file: first, value, origins };
}

function merge(
  under: JsonObject,
  over: JsonObject,
  pointer: string,
  file: string,
  origins: Map<string, string>,
): JsonObject {
  const merged: Record<string, Json> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const here = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const before = under[key];
    if (isObject(value)) {
      merged[key] = merge(isObject(before) ? before : {}, value, here, file, origins);
      if (!isObject(before)) origins.set(here, file);
    } else {
      merged[key] = value;
      for (const known of origins.keys()) if (known.startsWith(`${here}/`)) origins.delete(known);
      origins.set(here, file);
    }
  }
  return merged;
}

/**
 * Who changes to email and password need not undo the identity providers of the profile below: nothing could be done
 * with them.
 */
function withoutProviders(under: JsonObject, over: JsonObject, origins: Map<string, string>): JsonObject {
  if (!isObject(under.login) || !isObject(over.login) || over.login.type !== 'EMAIL_PW') return under;
  const { providers: _providers, ...login } = under.login;
  origins.delete('/login/providers');
  return { ...under, login };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readObject(file: string, profilesFolder: string, extendedBy: string | undefined): Promise<JsonObject> {
  if ((await stat(file).catch(() => undefined))?.isDirectory())
    throw new CliError(exitCodes.invalidProfile, [
      { file, cause: 'It is a folder, not a profile.', wayOut: 'Name a profile, or the file of one.' },
    ]);
  const read = await readFile(file, 'utf8').catch(async (cause: unknown) => {
    if (!isAbsent(cause))
      throw new CliError(
        exitCodes.invalidProfile,
        [
          {
            file,
            cause: `It cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
            wayOut: 'Give this account the right to read it.',
          },
        ],
        { cause },
      );
    const known = await profileNames(profilesFolder).catch(() => []);
    const near = nearestTo(path.basename(file, '.json'), known);
    const meant = near === undefined ? '' : `Did you mean '${near}'? `;
    const wayOut =
      known.length > 0 ? `${meant}There are: ${known.join(', ')}.` : `Put profiles into ${profilesFolder}.`;
    if (extendedBy !== undefined)
      throw invalid(
        extendedBy,
        '/extends',
        `It extends '${path.basename(file, '.json')}', which does not exist.`,
        wayOut,
        cause,
      );
    throw new CliError(exitCodes.invalidProfile, [{ file, cause: 'There is no such profile.', wayOut }], { cause });
  });
  // Some editors put a mark of the encoding first.
  const text = read.replace(/^\uFEFF/, '');
  if (text.trim() === '') throw invalid(file, '', 'The file is empty.', 'Start from a copy of profiles/default.json.');
  try {
    const value = JSON.parse(text) as Json;
    if (isObject(value)) return value;
  } catch (cause) {
    throw invalid(
      file,
      '',
      `It is no JSON: ${cause instanceof Error ? cause.message : String(cause)}${placeOf(text, cause)}.`,
      'Mend it there; an editor shows the place.',
      cause,
    );
  }
  throw invalid(file, '', 'A profile is a JSON object.', 'Start from a copy of profiles/default.json.');
}

function isAbsent(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}

/** Node names the position of a mistake as a count of characters; people look for lines. */
function placeOf(text: string, cause: unknown): string {
  const position = /at position (\d+)/.exec(String(cause))?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

function invalid(file: string, pointer: string, cause: string, wayOut: string, error?: unknown): CliError {
  return new CliError(exitCodes.invalidProfile, [{ file, pointer, cause, wayOut }], { cause: error });
}
