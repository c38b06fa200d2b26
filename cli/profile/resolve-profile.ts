import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020, type DefinedError } from 'ajv/dist/2020.js';
import { accessFlags, isTimeZone, type AccessFlag, type PluginManifest, type Product } from '#core';
import type { Profile } from '../../core/common/profile.ts';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';
import { createBrandUrls, findBrandProblems } from './brand-files.ts';
import { sortPlugins } from './plugin-order.ts';
import { describeSchemaError } from './describe-schema-error.ts';
import { findLineIn, readProfileChain, type MergedProfile } from './profile-chain.ts';
import { escapePointer, type JsonObject } from './read-profile-file.ts';
import { createProfileSchema } from './profile-schema.ts';
import type { KnownPlugin, ResolvedProfile } from './resolved-profile.ts';

/**
 * Reads a profile by its name or path, merges the profiles that it extends, validates it, fills defaults and sorts its
 * plugins.
 *
 * @param root absolute path of the project
 * @throws CliError with every problem that was found, each with file, JSON pointer, cause and remedy
 */
export async function resolveProfile(
  root: string,
  nameOrPath: string,
  plugins: ReadonlyMap<string, KnownPlugin>,
): Promise<ResolvedProfile> {
  const mergedProfile = await readProfileChain(path.join(root, 'profiles'), nameOrPath);
  const folder = path.dirname(mergedProfile.file);
  const { plugins: ownSettings = {} } = mergedProfile.value;
  if (typeof ownSettings !== 'object' || ownSettings === null || Array.isArray(ownSettings)) {
    throw new CliError(exitCodes.invalidProfile, [
      {
        ...findPosition('/plugins', mergedProfile),
        cause: '"plugins" must be an object that contains the settings of each plugin by its id.',
        remedy: 'Write { "tour": {} } to switch a plugin on, { "tour": false } to switch it off.',
      },
    ]);
  }
  const value = structuredClone(addBasePlugins(mergedProfile, plugins)) as JsonObject;
  const origins = new Map(mergedProfile.origins);
  for (const [id, { manifest }] of plugins)
    if (manifest.base && !(id in ownSettings)) origins.set(`/plugins/${id}`, 'default');
  const brandProblems = (await findBrandProblems(folder, mergedProfile)).map((problem) =>
    addLine(problem, mergedProfile),
  );
  const schemaProblems = fillDefaultsAndValidate(value, mergedProfile, plugins, (pointer) =>
    origins.set(pointer, 'default'),
  );
  if (schemaProblems.length > 0) throw new CliError(exitCodes.invalidProfile, [...schemaProblems, ...brandProblems]);

  const profile = value as unknown as Profile;
  const problems = [
    ...findLoginProblems(profile, mergedProfile),
    ...findLanguageProblems(profile, mergedProfile),
    ...findTimeZoneProblems(profile, mergedProfile),
    ...brandProblems,
  ];
  if (problems.length > 0) throw new CliError(exitCodes.invalidProfile, problems);

  const enabledSettings = Object.entries(profile.plugins).filter(([, settings]) => settings !== false);
  const getManifest = (id: string): PluginManifest => (plugins.get(id) as KnownPlugin).manifest;
  const enabledIds = withPositions(mergedProfile, () =>
    sortPlugins(
      enabledSettings.map(([id]) => id),
      getManifest,
      mergedProfile.file,
    ),
  );
  const bridges = enabledIds.flatMap((id) =>
    getManifest(id)
      .bridges.filter((partner) => enabledIds.includes(partner))
      .map((partner) => [id, partner] as const),
  );
  return {
    name: mergedProfile.name,
    file: mergedProfile.file,
    profile,
    product: {
      ...(await readProduct(root, mergedProfile, profile)),
      features: listFeatures(enabledIds.map(getManifest)),
    },
    enabled: enabledIds,
    disabled: [...plugins.keys()].filter((id) => !enabledIds.includes(id)).sort(),
    plugins,
    settings: Object.fromEntries(enabledSettings),
    bridges,
    origins,
    files: mergedProfile.files,
  };
}

/** The access flags of the plugins. The product lists them because some are known only to the server. */
const listFeatures = (manifests: readonly PluginManifest[]): readonly AccessFlag[] =>
  accessFlags.filter((flag) => manifests.some(({ access }) => access.includes(flag)));

function addBasePlugins(mergedProfile: MergedProfile, plugins: ReadonlyMap<string, KnownPlugin>): JsonObject {
  const ownSettings = mergedProfile.value.plugins;
  const pluginSettings =
    typeof ownSettings === 'object' && ownSettings !== null && !Array.isArray(ownSettings)
      ? (ownSettings as JsonObject)
      : {};
  const base = [...plugins.values()]
    .filter(({ manifest }) => manifest.base)
    .map(({ manifest }) => [manifest.id, {}] as const);
  return { ...mergedProfile.value, plugins: { ...Object.fromEntries(base), ...pluginSettings } };
}

function fillDefaultsAndValidate(
  value: JsonObject,
  mergedProfile: MergedProfile,
  plugins: ReadonlyMap<string, KnownPlugin>,
  onDefault: (pointer: string) => void,
): Problem[] {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, strict: false, verbose: true });
  const schema = createProfileSchema(plugins);
  const initialPointers = listPointers(value);
  const check = ajv.compile(schema);
  // Each plugin's settings are checked by a schema of their own, because ajv neither fills defaults nor reports details
  // through the union with `false`.
  const settingsChecks = [...plugins.values()].map(({ manifest }) => ({
    id: manifest.id,
    check: ajv.compile({ ...manifest.settings, additionalProperties: false }),
  }));
  const problems: Problem[] = [];
  const settings = value.plugins as Record<string, unknown>;
  for (const { id, check: checkSettings } of settingsChecks) {
    const pluginSettings = settings[id];
    if (pluginSettings === undefined || pluginSettings === false) continue;
    if (typeof pluginSettings !== 'object' || pluginSettings === null || Array.isArray(pluginSettings)) {
      problems.push({
        ...findPosition(`/plugins/${id}`, mergedProfile),
        cause: `The settings of '${id}' must be an object.`,
        remedy: 'Write {} for the defaults.',
      });
    } else if (!checkSettings(pluginSettings)) {
      problems.push(
        ...listProblems(
          checkSettings.errors as DefinedError[],
          pluginSettings,
          checkSettings.schema,
          `/plugins/${id}`,
          mergedProfile,
        ),
      );
    }
  }
  if (!check(value)) {
    const errors = (check.errors as DefinedError[]).filter((error) => !/^\/plugins\/[^/]+/.test(error.instancePath));
    problems.push(...listProblems(errors, value, schema, '', mergedProfile));
    for (const [id, { manifest }] of plugins) {
      if (manifest.base && settings[id] === false) {
        problems.push({
          ...findPosition(`/plugins/${id}`, mergedProfile),
          cause: `'${id}' belongs to every product and cannot be turned off.`,
          remedy: 'Remove this setting.',
        });
      }
    }
  }
  for (const pointer of listPointers(value)) if (!initialPointers.has(pointer)) onDefault(pointer);
  return problems;
}

function listProblems(
  errors: readonly DefinedError[],
  data: object,
  schema: unknown,
  parentPointer: string,
  mergedProfile: MergedProfile,
): Problem[] {
  return errors.flatMap((error) => {
    const describedError = describeSchemaError(error, data, schema, parentPointer);
    return describedError === undefined
      ? []
      : [
          {
            ...findPosition(describedError.pointer, mergedProfile),
            cause: describedError.cause,
            remedy: describedError.remedy,
          },
        ];
  });
}

/** The file that set the value, or that set the nearest enclosing value. */
function findPosition(pointer: string, mergedProfile: MergedProfile): Pick<Problem, 'file' | 'pointer' | 'line'> {
  for (let current = pointer; current !== ''; current = current.slice(0, current.lastIndexOf('/'))) {
    const file = mergedProfile.origins.get(current);
    if (file !== undefined) return addLine({ file, pointer }, mergedProfile);
  }
  return addLine({ file: mergedProfile.file, pointer }, mergedProfile);
}

/** Runs `sort`. If it fails, adds to each problem the file and line that set the value concerned. */
function withPositions<T>(mergedProfile: MergedProfile, sort: () => T): T {
  try {
    return sort();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const problems = error.problems.map((problem) => ({
      ...problem,
      ...findPosition(problem.pointer ?? '', mergedProfile),
    }));
    throw new CliError(error.exitCode, problems, { cause: error });
  }
}

function addLine<P extends Pick<Problem, 'file' | 'pointer' | 'line'>>(problem: P, mergedProfile: MergedProfile): P {
  const { file, pointer } = problem;
  const line = file === undefined || pointer === undefined ? undefined : findLineIn(mergedProfile, file, pointer);
  return line === undefined ? problem : { ...problem, line };
}

function findLoginProblems(profile: Profile, mergedProfile: MergedProfile): Problem[] {
  const position = findPosition(
    mergedProfile.origins.get('/login/type') === mergedProfile.file ? '/login/type' : '/login/providers',
    mergedProfile,
  );
  const { type, providers } = profile.login;
  const ids = providers.map(({ id }) => id);
  if (type === 'AD' && ids.length === 0)
    return [
      {
        ...position,
        cause: 'Single sign-on needs at least one identity provider.',
        remedy: 'Name "first", "second" or both under login.providers.',
      },
    ];
  if (type === 'EMAIL_PW' && ids.length > 0)
    return [
      {
        ...position,
        cause: 'Login by email and password uses no identity provider.',
        remedy: 'Set login.type to "AD", or login.providers to [].',
      },
    ];
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [
          {
            ...findPosition(`/login/providers/${index}/id`, mergedProfile),
            cause: `The identity provider "${id}" is named twice.`,
            remedy: 'Name each once: there are "first" and "second".',
          },
        ],
  );
}

function findLanguageProblems({ language, languages }: Profile, mergedProfile: MergedProfile): Problem[] {
  const defaultLanguage = language.default;
  if (defaultLanguage === undefined || languages.includes(defaultLanguage)) return [];
  return [
    {
      ...findPosition('/language/default', mergedProfile),
      cause: `The default language "${defaultLanguage}" is not a language of the product.`,
      remedy: `Name one of ${languages.map((code) => `"${code}"`).join(', ')}, or add it to languages.`,
    },
  ];
}

function findTimeZoneProblems({ timeZone }: Profile, mergedProfile: MergedProfile): Problem[] {
  if (isTimeZone(timeZone)) return [];
  return [
    {
      ...findPosition('/timeZone', mergedProfile),
      cause: `${JSON.stringify(timeZone)} is not a time zone of the IANA database.`,
      remedy: 'Write it like "Europe/Oslo".',
    },
  ];
}

async function readProduct(root: string, mergedProfile: MergedProfile, profile: Profile): Promise<Product> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const { title, shortName, login, language, languages, timeZone, progressiveWebApp, branding } = profile;
  return {
    profile: mergedProfile.name,
    title,
    shortName,
    version,
    login,
    // The first language is the fallback for other browser languages.
    languages: language.default === undefined ? languages : [...new Set([language.default, ...languages])],
    timeZone,
    progressiveWebApp,
    ...(await createBrandUrls(path.dirname(mergedProfile.file), branding)),
    ...(branding.contact === undefined ? {} : { contact: branding.contact }),
  };
}

function listPointers(value: unknown, pointer = ''): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set([pointer]);
  const innerPointers = Object.entries(value).flatMap(([key, inner]) => [
    ...listPointers(inner, `${pointer}/${escapePointer(key)}`),
  ]);
  return new Set([pointer, ...innerPointers]);
}
