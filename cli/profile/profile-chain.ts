import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findNearestName } from '../../core/common/format/find-nearest-name.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { escapePointer, readProfileFile, type Json, type JsonObject, type ProfileFile } from './read-profile-file.ts';

/** A profile merged over those that it extends. Names of brand files are relative to the folder of `file`. */
export interface MergedProfile {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly value: JsonObject;
  /** For each JSON pointer of `value`, the file (absolute) that set it. */
  readonly origins: ReadonlyMap<string, string>;
  /** The profile and those that it extends, nearest first. */
  readonly files: readonly ProfileFile[];
}

/** Settings of `branding` that name no file. */
export const brandTexts: readonly string[] = ['color', 'contact'];

/** Every profile of the folder, by name. */
export async function profileNames(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.json') && name !== 'profile.schema.json')
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/**
 * The name of a product: its profile's file name without `.json`, or the folder's if the file is `profile.json`.
 *
 * @param nameOrPath a name in the profiles folder, or the path of a file
 */
export function profileName(nameOrPath: string): string {
  const base = path.basename(nameOrPath, '.json');
  const isGeneric = base === 'profile' && isProfilePath(nameOrPath);
  return (isGeneric ? path.basename(path.dirname(path.resolve(nameOrPath))) : base).normalize('NFC');
}

/** Whether it is the path of a file, and not a name in the project's profiles folder. */
function isProfilePath(nameOrPath: string): boolean {
  return /[/\\]/.test(nameOrPath) || nameOrPath.endsWith('.json');
}

/** The file of a name, or of a path relative to `folder`. */
export function profileFile(profilesFolder: string, nameOrPath: string, folder = process.cwd()): string {
  return isProfilePath(nameOrPath) ? path.resolve(folder, nameOrPath) : path.join(profilesFolder, `${nameOrPath}.json`);
}

/**
 * Reads a profile and those that it extends. Objects are merged by key, other values are replaced by the nearer file;
 * `"type": "EMAIL_PW"` removes inherited identity providers. Paths are relative to the file that names them.
 *
 * @param nameOrPath a name in the profiles folder, or the path of a file
 * @throws CliError for a missing file, one that is no JSON object, and a cycle of `extends`
 */
export async function readProfileChain(profilesFolder: string, nameOrPath: string): Promise<MergedProfile> {
  const first = profileFile(profilesFolder, nameOrPath);
  const chain: ProfileFile[] = [];
  for (let file: string | undefined = first; file !== undefined;) {
    const below = chain.at(-1);
    if (chain.some((seen) => seen.file === file)) {
      const trail = [...chain.map((seen) => seen.file), file].map((name) => path.basename(name, '.json'));
      throw invalid(
        chain[0],
        '/extends',
        `The profiles extend each other in a circle: ${trail.join(' -> ')}.`,
        'Take one `extends` out.',
      );
    }
    const read: ProfileFile = await readProfileFile(file, (cause) => absent(profilesFolder, file ?? '', below, cause));
    chain.push(read);
    file = findParent(profilesFolder, read);
  }
  const origins = new Map<string, string>();
  const value = chain
    .toReversed()
    .reduce<JsonObject>(
      (under, { file, value: over }) =>
        merge(
          withoutProviders(under, over, origins),
          withBrandBelow(over, path.dirname(file), path.dirname(first)),
          '',
          file,
          origins,
        ),
      {},
    );
  return { name: profileName(nameOrPath), file: first, value, origins, files: chain };
}

/** The line in which a file of the chain sets a value, or the nearest value above it. */
export function lineIn(merged: Pick<MergedProfile, 'files'>, file: string, pointer: string): number | undefined {
  return merged.files.find((each) => each.file === file)?.findLine(pointer);
}

function findParent(profilesFolder: string, read: ProfileFile): string | undefined {
  const { extends: parent } = read.value;
  if (parent === undefined) return undefined;
  if (typeof parent !== 'string' || parent.trim() === '')
    throw invalid(
      read,
      '/extends',
      'Must be the name of a profile, or the path of its file.',
      'Write a name such as "default", or a path such as "./base.json".',
    );
  return profileFile(profilesFolder, parent, path.dirname(read.file));
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
    const here = `${pointer}/${escapePointer(key)}`;
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

/** Rewrites the brand's files relative to another folder: inherited ones are next to the profile that names them. */
function withBrandBelow(value: JsonObject, from: string, to: string): JsonObject {
  const { branding } = value;
  if (!isObject(branding)) return value;
  const moved = (file: Json): Json =>
    typeof file === 'string' && file !== '' ? path.relative(to, path.resolve(from, file)) : file;
  const entries = Object.entries(branding).map(([name, named]): readonly [string, Json] => [
    name,
    brandTexts.includes(name) ? named : Array.isArray(named) ? (named as readonly Json[]).map(moved) : moved(named),
  ]);
  return { ...value, branding: Object.fromEntries(entries) };
}

/** Removes inherited identity providers for email and password, where they have no use. */
function withoutProviders(under: JsonObject, over: JsonObject, origins: Map<string, string>): JsonObject {
  if (!isObject(under.login) || !isObject(over.login) || over.login.type !== 'EMAIL_PW') return under;
  const { providers: _providers, ...login } = under.login;
  origins.delete('/login/providers');
  return { ...under, login };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error for a missing profile, named by a person or by the `extends` of another. */
async function absent(
  profilesFolder: string,
  file: string,
  extendedBy: ProfileFile | undefined,
  cause: unknown,
): Promise<CliError> {
  const name = path.basename(file, '.json');
  const known = await profileNames(profilesFolder).catch(() => []);
  const near = findNearestName(name, known);
  const suggestion = near === undefined ? '' : `Did you mean '${near}'? `;
  const inProject = path.dirname(file) === profilesFolder;
  const beside = extendedBy && inProject && existsSync(path.join(path.dirname(extendedBy.file), `${name}.json`));
  const remedy = beside
    ? `Write "./${name}.json" for the file beside it: a name without a path is one of the project's profiles folder.`
    : !inProject
      ? 'Check the path. A path in `extends` is relative to the file that names it.'
      : known.length > 0
        ? `${suggestion}There are: ${known.join(', ')}. The file of a profile elsewhere is named by its path.`
        : `Put profiles into ${profilesFolder}.`;
  return extendedBy === undefined
    ? new CliError(exitCodes.invalidProfile, [{ file, cause: 'There is no such profile.', remedy }], { cause })
    : invalid(extendedBy, '/extends', `It extends '${inProject ? name : file}', which does not exist.`, remedy, cause);
}

function invalid(
  read: ProfileFile | undefined,
  pointer: string,
  cause: string,
  remedy: string,
  error?: unknown,
): CliError {
  const place = read === undefined ? {} : { file: read.file, pointer, line: read.findLine(pointer) };
  return new CliError(exitCodes.invalidProfile, [{ ...place, cause, remedy }], { cause: error });
}
