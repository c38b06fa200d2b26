import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findNearestName } from '../../core/common/format/find-nearest-name.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { escapePointer, readProfileFile, type Json, type JsonObject, type ProfileFile } from './read-profile-file.ts';

/** A profile merged with the profiles that it extends. Names of brand files are relative to the folder of `file`. */
export interface MergedProfile {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly value: JsonObject;
  /** For each JSON pointer of `value`, the file (absolute) that set it. */
  readonly origins: ReadonlyMap<string, string>;
  /** The files of the profile and of the profiles that it extends, nearest first. */
  readonly files: readonly ProfileFile[];
}

/** Settings of `branding` that name no file. */
export const brandTexts: readonly string[] = ['color', 'contact'];

/** Every profile of the folder, by name. */
export async function listProfileNames(folder: string): Promise<string[]> {
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
export function getProfileName(nameOrPath: string): string {
  const base = path.basename(nameOrPath, '.json');
  const isGeneric = base === 'profile' && isProfilePath(nameOrPath);
  return (isGeneric ? path.basename(path.dirname(path.resolve(nameOrPath))) : base).normalize('NFC');
}

/** Whether a text is the path of a file and not a name in the project's profiles folder. */
function isProfilePath(nameOrPath: string): boolean {
  return /[/\\]/.test(nameOrPath) || nameOrPath.endsWith('.json');
}

/** The absolute path of a profile, by its name or by a path relative to `folder`. */
export function resolveProfileFile(profilesFolder: string, nameOrPath: string, folder = process.cwd()): string {
  return isProfilePath(nameOrPath) ? path.resolve(folder, nameOrPath) : path.join(profilesFolder, `${nameOrPath}.json`);
}

/**
 * Reads a profile and the profiles that it extends. Objects are merged by key; other values are replaced by the nearer
 * file. `"type": "EMAIL_PW"` removes inherited identity providers. Paths are relative to the file that names them.
 *
 * @param nameOrPath a name in the profiles folder, or the path of a file
 * @throws CliError for a missing file, one that is not a JSON object, and a cycle of `extends`
 */
export async function readProfileChain(profilesFolder: string, nameOrPath: string): Promise<MergedProfile> {
  const first = resolveProfileFile(profilesFolder, nameOrPath);
  const chain: ProfileFile[] = [];
  for (let file: string | undefined = first; file !== undefined;) {
    const extendingFile = chain.at(-1);
    if (chain.some((previous) => previous.file === file)) {
      const trail = [...chain.map((previous) => previous.file), file].map((name) => path.basename(name, '.json'));
      throw createProfileError(
        chain[0],
        '/extends',
        `The profiles extend each other in a circle: ${trail.join(' -> ')}.`,
        'Remove one `extends`.',
      );
    }
    const profileFile: ProfileFile = await readProfileFile(file, (cause) =>
      createMissingProfileError(profilesFolder, file ?? '', extendingFile, cause),
    );
    chain.push(profileFile);
    file = findParent(profilesFolder, profileFile);
  }
  const origins = new Map<string, string>();
  const value = chain
    .toReversed()
    .reduce<JsonObject>(
      (inheritedProfile, { file, value: overrides }) =>
        merge(
          removeProviders(inheritedProfile, overrides, origins),
          moveBrandPaths(overrides, path.dirname(file), path.dirname(first)),
          '',
          file,
          origins,
        ),
      {},
    );
  return { name: getProfileName(nameOrPath), file: first, value, origins, files: chain };
}

/** The line of a file in the chain that sets a value, or the nearest value above it. */
export function findLineIn(
  mergedProfile: Pick<MergedProfile, 'files'>,
  file: string,
  pointer: string,
): number | undefined {
  return mergedProfile.files.find((candidate) => candidate.file === file)?.findLine(pointer);
}

function findParent(profilesFolder: string, profileFile: ProfileFile): string | undefined {
  const { extends: parent } = profileFile.value;
  if (parent === undefined) return undefined;
  if (typeof parent !== 'string' || parent.trim() === '')
    throw createProfileError(
      profileFile,
      '/extends',
      'Must be the name of a profile, or the path of its file.',
      'Write a name such as "default", or a path such as "./base.json".',
    );
  return resolveProfileFile(profilesFolder, parent, path.dirname(profileFile.file));
}

function merge(
  inheritedObject: JsonObject,
  overrides: JsonObject,
  pointer: string,
  file: string,
  origins: Map<string, string>,
): JsonObject {
  const mergedObject: Record<string, Json> = { ...inheritedObject };
  for (const [key, value] of Object.entries(overrides)) {
    const keyPointer = `${pointer}/${escapePointer(key)}`;
    const inheritedValue = inheritedObject[key];
    if (isObject(value)) {
      mergedObject[key] = merge(isObject(inheritedValue) ? inheritedValue : {}, value, keyPointer, file, origins);
      if (!isObject(inheritedValue)) origins.set(keyPointer, file);
    } else {
      mergedObject[key] = value;
      for (const knownPointer of origins.keys())
        if (knownPointer.startsWith(`${keyPointer}/`)) origins.delete(knownPointer);
      origins.set(keyPointer, file);
    }
  }
  return mergedObject;
}

/** Makes the paths of the brand's files relative to another folder, because an inherited path is relative to its file. */
function moveBrandPaths(value: JsonObject, from: string, to: string): JsonObject {
  const { branding } = value;
  if (!isObject(branding)) return value;
  const movePath = (file: Json): Json =>
    typeof file === 'string' && file !== '' ? path.relative(to, path.resolve(from, file)) : file;
  const entries = Object.entries(branding).map(([name, setting]): readonly [string, Json] => [
    name,
    brandTexts.includes(name)
      ? setting
      : Array.isArray(setting)
        ? (setting as readonly Json[]).map(movePath)
        : movePath(setting),
  ]);
  return { ...value, branding: Object.fromEntries(entries) };
}

/** Removes inherited identity providers if people sign in by email and password. */
function removeProviders(
  inheritedProfile: JsonObject,
  overrides: JsonObject,
  origins: Map<string, string>,
): JsonObject {
  if (!isObject(inheritedProfile.login) || !isObject(overrides.login) || overrides.login.type !== 'EMAIL_PW')
    return inheritedProfile;
  const { providers: _providers, ...login } = inheritedProfile.login;
  origins.delete('/login/providers');
  return { ...inheritedProfile, login };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The error for a missing profile that a user or the `extends` of another profile names. */
async function createMissingProfileError(
  profilesFolder: string,
  file: string,
  extendedBy: ProfileFile | undefined,
  cause: unknown,
): Promise<CliError> {
  const name = path.basename(file, '.json');
  const knownNames = await listProfileNames(profilesFolder).catch(() => []);
  const nearest = findNearestName(name, knownNames);
  const suggestion = nearest === undefined ? '' : `Did you mean '${nearest}'? `;
  const inProject = path.dirname(file) === profilesFolder;
  const isInSameFolder =
    extendedBy && inProject && existsSync(path.join(path.dirname(extendedBy.file), `${name}.json`));
  const remedy = isInSameFolder
    ? `Write "./${name}.json" for the file in the same folder: a name alone means the project's profiles folder.`
    : !inProject
      ? 'Check the path. A path in `extends` is relative to the file that names it.'
      : knownNames.length > 0
        ? `${suggestion}There are: ${knownNames.join(', ')}. Name a profile in another folder by its path.`
        : `Create profiles in ${profilesFolder}.`;
  return extendedBy === undefined
    ? new CliError(exitCodes.invalidProfile, [{ file, cause: 'There is no such profile.', remedy }], { cause })
    : createProfileError(
        extendedBy,
        '/extends',
        `It extends '${inProject ? name : file}', which does not exist.`,
        remedy,
        cause,
      );
}

function createProfileError(
  profileFile: ProfileFile | undefined,
  pointer: string,
  cause: string,
  remedy: string,
  error?: unknown,
): CliError {
  const position =
    profileFile === undefined ? {} : { file: profileFile.file, pointer, line: profileFile.findLine(pointer) };
  return new CliError(exitCodes.invalidProfile, [{ ...position, cause, remedy }], { cause: error });
}
