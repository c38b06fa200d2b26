import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findNearestName } from '../../core/common/format/find-nearest-name.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { escapePointer, readProfileFile, type Json, type JsonObject, type ProfileFile } from './read-profile-file.ts';

/** A profile merged with the profiles that it extends. Paths of brand files are relative to the folder of `file`. */
export interface MergedProfile {
  readonly name: string;
  /** Absolute path of the profile's own file. */
  readonly file: string;
  readonly value: JsonObject;
  /** For each JSON pointer of `value`, the file (absolute) that set it. */
  readonly origins: ReadonlyMap<string, string>;
  /** The files of the profile and of the profiles that it extends, nearest first. */
  readonly files: readonly ProfileFile[];
}

/** Settings of `branding` that do not name a file. All others do. */
export const nonFileBrandSettings: readonly string[] = ['color', 'contact'];

/** The names of all profiles in the folder, sorted. */
export async function listProfileNames(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.json') && name !== 'profile.schema.json')
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/**
 * The name of a profile, which its product shares: the file name without `.json`, or the name of the folder if the file
 * is `profile.json`.
 *
 * @param nameOrPath a name in the profiles folder, or the path of a file
 */
export function getProfileName(nameOrPath: string): string {
  const base = path.basename(nameOrPath, '.json');
  const isGeneric = base === 'profile' && isProfilePath(nameOrPath);
  return (isGeneric ? path.basename(path.dirname(path.resolve(nameOrPath))) : base).normalize('NFC');
}

/** Whether a text is the path of a file. Otherwise it is a name in the project's profiles folder. */
function isProfilePath(nameOrPath: string): boolean {
  return /[/\\]/.test(nameOrPath) || nameOrPath.endsWith('.json');
}

/** The absolute path of a profile, given its name in the profiles folder or a path relative to `baseFolder`. */
export function resolveProfileFile(profilesFolder: string, nameOrPath: string, baseFolder = process.cwd()): string {
  return isProfilePath(nameOrPath)
    ? path.resolve(baseFolder, nameOrPath)
    : path.join(profilesFolder, `${nameOrPath}.json`);
}

/**
 * Reads a profile and the profiles that it extends. Objects are merged by key. For other values the extending file
 * replaces the extended one. `"type": "EMAIL_PW"` removes inherited identity providers. In each file, paths of brand
 * files are relative to that file; in the result they are relative to the first file.
 *
 * @param nameOrPath a name in the profiles folder, or the path of a file
 * @throws CliError for a missing file, one that is not a JSON object, and a cycle of `extends`
 */
export async function readProfileChain(profilesFolder: string, nameOrPath: string): Promise<MergedProfile> {
  const startFile = resolveProfileFile(profilesFolder, nameOrPath);
  const chain: ProfileFile[] = [];
  for (let file: string | undefined = startFile; file !== undefined;) {
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
    const profileFile: ProfileFile = await readProfileFile(file, (readError) =>
      createMissingProfileError(profilesFolder, file ?? '', extendingFile, readError),
    );
    chain.push(profileFile);
    file = findExtendedFile(profilesFolder, profileFile);
  }
  const origins = new Map<string, string>();
  const value = chain
    .toReversed()
    .reduce<JsonObject>(
      (inheritedProfile, { file, value: overrides }) =>
        merge(
          removeInheritedProviders(inheritedProfile, overrides, origins),
          rebaseBrandPaths(overrides, path.dirname(file), path.dirname(startFile)),
          '',
          file,
          origins,
        ),
      {},
    );
  return { name: getProfileName(nameOrPath), file: startFile, value, origins, files: chain };
}

/**
 * The line at which one file of the chain sets a value. If the file does not set it, the line of the nearest enclosing
 * object that the file sets. Undefined if the file is not in the chain.
 */
export function findLineIn(
  mergedProfile: Pick<MergedProfile, 'files'>,
  file: string,
  pointer: string,
): number | undefined {
  return mergedProfile.files.find((candidate) => candidate.file === file)?.findLine(pointer);
}

function findExtendedFile(profilesFolder: string, profileFile: ProfileFile): string | undefined {
  const { extends: extendedProfile } = profileFile.value;
  if (extendedProfile === undefined) return undefined;
  if (typeof extendedProfile !== 'string' || extendedProfile.trim() === '')
    throw createProfileError(
      profileFile,
      '/extends',
      'Must be the name of a profile, or the path of its file.',
      'Write a name such as "default", or a path such as "./base.json".',
    );
  return resolveProfileFile(profilesFolder, extendedProfile, path.dirname(profileFile.file));
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

/** Converts the paths of brand files that are relative to `fromFolder` to paths that are relative to `toFolder`. */
function rebaseBrandPaths(value: JsonObject, fromFolder: string, toFolder: string): JsonObject {
  const { branding } = value;
  if (!isObject(branding)) return value;
  const rebasePath = (file: Json): Json =>
    typeof file === 'string' && file !== '' ? path.relative(toFolder, path.resolve(fromFolder, file)) : file;
  const entries = Object.entries(branding).map(([name, setting]): readonly [string, Json] => [
    name,
    nonFileBrandSettings.includes(name)
      ? setting
      : Array.isArray(setting)
        ? (setting as readonly Json[]).map(rebasePath)
        : rebasePath(setting),
  ]);
  return { ...value, branding: Object.fromEntries(entries) };
}

/** Removes inherited identity providers, and their origins, if people sign in by email and password. */
function removeInheritedProviders(
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

/**
 * Creates the error for a profile that does not exist.
 *
 * @param extendingProfile the profile whose `extends` names it; undefined if the user names it
 */
async function createMissingProfileError(
  profilesFolder: string,
  file: string,
  extendingProfile: ProfileFile | undefined,
  readError: unknown,
): Promise<CliError> {
  const name = path.basename(file, '.json');
  const knownNames = await listProfileNames(profilesFolder).catch(() => []);
  const nearest = findNearestName(name, knownNames);
  const suggestion = nearest === undefined ? '' : `Did you mean '${nearest}'? `;
  const isInProfilesFolder = path.dirname(file) === profilesFolder;
  const existsBesideExtendingFile =
    extendingProfile &&
    isInProfilesFolder &&
    existsSync(path.join(path.dirname(extendingProfile.file), `${name}.json`));
  const remedy = existsBesideExtendingFile
    ? `Write "./${name}.json" to extend the file in the same folder. A name without a path is a profile in the project's profiles folder.`
    : !isInProfilesFolder
      ? 'Check the path. A path in `extends` is relative to the file that names it.'
      : knownNames.length > 0
        ? `${suggestion}Available profiles: ${knownNames.join(', ')}. For a profile in another folder, give its path.`
        : `Create profiles in ${profilesFolder}.`;
  return extendingProfile === undefined
    ? new CliError(exitCodes.invalidProfile, [{ file, cause: 'There is no such profile.', remedy }], {
        cause: readError,
      })
    : createProfileError(
        extendingProfile,
        '/extends',
        `It extends '${isInProfilesFolder ? name : file}', which does not exist.`,
        remedy,
        readError,
      );
}

function createProfileError(
  profileFile: ProfileFile | undefined,
  pointer: string,
  cause: string,
  remedy: string,
  originalError?: unknown,
): CliError {
  const position =
    profileFile === undefined ? {} : { file: profileFile.file, pointer, line: profileFile.findLine(pointer) };
  return new CliError(exitCodes.invalidProfile, [{ ...position, cause, remedy }], { cause: originalError });
}
