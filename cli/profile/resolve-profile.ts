import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020, type DefinedError } from 'ajv/dist/2020.js';
import { isTimeZone, type PluginManifest, type Product } from '#core';
import type { Profile } from '../../core/common/profile.ts';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';
import { brandAddresses, problemsOfBrand } from './brand-files.ts';
import { pluginOrder } from './plugin-order.ts';
import { describeSchemaError } from './describe-schema-error.ts';
import { lineIn, readProfileChain, type MergedProfile } from './profile-chain.ts';
import { escapePointer, type JsonObject } from './read-profile-file.ts';
import { profileSchema } from './profile-schema.ts';
import type { KnownPlugin, ResolvedProfile } from './resolved-profile.ts';

/**
 * Resolves a profile's name or path to everything that the build needs: `extends` merged, defaults filled, plugins in
 * order.
 *
 * @param root absolute path of the project
 * @throws CliError with every problem that was found, each with file, JSON pointer, cause and remedy
 */
export async function resolveProfile(
  root: string,
  nameOrPath: string,
  plugins: ReadonlyMap<string, KnownPlugin>,
): Promise<ResolvedProfile> {
  const merged = await readProfileChain(path.join(root, 'profiles'), nameOrPath);
  const folder = path.dirname(merged.file);
  const { plugins: named = {} } = merged.value;
  if (typeof named !== 'object' || named === null || Array.isArray(named)) {
    throw new CliError(exitCodes.invalidProfile, [
      {
        ...findPlace('/plugins', merged),
        cause: 'The plugins must be an object: settings by the id of the plugin.',
        remedy: 'Write { "tour": {} } to switch a plugin on, { "tour": false } to switch it off.',
      },
    ]);
  }
  const value = structuredClone(withBasePlugins(merged, plugins)) as JsonObject;
  const origins = new Map(merged.origins);
  for (const [id, { manifest }] of plugins)
    if (manifest.base && !(id in named)) origins.set(`/plugins/${id}`, 'default');
  const brandProblems = (await problemsOfBrand(folder, merged)).map((problem) => withLine(problem, merged));
  const schemaProblems = validate(value, merged, plugins, (pointer) => origins.set(pointer, 'default'));
  if (schemaProblems.length > 0) throw new CliError(exitCodes.invalidProfile, [...schemaProblems, ...brandProblems]);

  const profile = value as unknown as Profile;
  const problems = [
    ...loginProblems(profile, merged),
    ...languageProblems(profile, merged),
    ...timeZoneProblems(profile, merged),
    ...brandProblems,
  ];
  if (problems.length > 0) throw new CliError(exitCodes.invalidProfile, problems);

  const on = Object.entries(profile.plugins).filter(([, settings]) => settings !== false);
  const getManifest = (id: string): PluginManifest => (plugins.get(id) as KnownPlugin).manifest;
  const enabled = inFilesThatSet(merged, () =>
    pluginOrder(
      on.map(([id]) => id),
      getManifest,
      merged.file,
    ),
  );
  const bridges = enabled.flatMap((id) =>
    getManifest(id)
      .bridges.filter((partner) => enabled.includes(partner))
      .map((partner) => [id, partner] as const),
  );
  return {
    name: merged.name,
    file: merged.file,
    profile,
    product: await readProduct(root, merged, profile),
    enabled,
    disabled: [...plugins.keys()].filter((id) => !enabled.includes(id)).sort(),
    plugins,
    settings: Object.fromEntries(on),
    bridges,
    origins,
    files: merged.files,
  };
}

function withBasePlugins(merged: MergedProfile, plugins: ReadonlyMap<string, KnownPlugin>): JsonObject {
  const named = merged.value.plugins;
  const own = typeof named === 'object' && named !== null && !Array.isArray(named) ? (named as JsonObject) : {};
  const base = [...plugins.values()]
    .filter(({ manifest }) => manifest.base)
    .map(({ manifest }) => [manifest.id, {}] as const);
  return { ...merged.value, plugins: { ...Object.fromEntries(base), ...own } };
}

function validate(
  value: JsonObject,
  merged: MergedProfile,
  plugins: ReadonlyMap<string, KnownPlugin>,
  onDefault: (pointer: string) => void,
): Problem[] {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, strict: false, verbose: true });
  const schema = profileSchema(plugins);
  const before = listPointers(value);
  const check = ajv.compile(schema);
  // Each plugin's settings are checked by its own schema: through the union with `false`, ajv would neither fill
  // defaults nor report details.
  const ownChecks = [...plugins.values()].map(({ manifest }) => ({
    id: manifest.id,
    check: ajv.compile({ ...manifest.settings, additionalProperties: false }),
  }));
  const problems: Problem[] = [];
  const settings = value.plugins as Record<string, unknown>;
  for (const { id, check: checkSettings } of ownChecks) {
    const own = settings[id];
    if (own === undefined || own === false) continue;
    if (typeof own !== 'object' || own === null || Array.isArray(own)) {
      problems.push({
        ...findPlace(`/plugins/${id}`, merged),
        cause: `The settings of '${id}' must be an object.`,
        remedy: 'Write {} for the defaults.',
      });
    } else if (!checkSettings(own)) {
      problems.push(
        ...listProblems(checkSettings.errors as DefinedError[], own, checkSettings.schema, `/plugins/${id}`, merged),
      );
    }
  }
  if (!check(value)) {
    const errors = (check.errors as DefinedError[]).filter((error) => !/^\/plugins\/[^/]+/.test(error.instancePath));
    problems.push(...listProblems(errors, value, schema, '', merged));
    for (const [id, { manifest }] of plugins) {
      if (manifest.base && settings[id] === false) {
        problems.push({
          ...findPlace(`/plugins/${id}`, merged),
          cause: `'${id}' belongs to every product and cannot be turned off.`,
          remedy: 'Take the line out.',
        });
      }
    }
  }
  for (const pointer of listPointers(value)) if (!before.has(pointer)) onDefault(pointer);
  return problems;
}

function listProblems(
  errors: readonly DefinedError[],
  data: object,
  schema: unknown,
  under: string,
  merged: MergedProfile,
): Problem[] {
  return errors.flatMap((error) => {
    const described = describeSchemaError(error, data, schema, under);
    return described === undefined
      ? []
      : [{ ...findPlace(described.pointer, merged), cause: described.cause, remedy: described.remedy }];
  });
}

/** The file that set the value, or the nearest value above it. */
function findPlace(pointer: string, merged: MergedProfile): Pick<Problem, 'file' | 'pointer' | 'line'> {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const file = merged.origins.get(at);
    if (file !== undefined) return withLine({ file, pointer }, merged);
  }
  return withLine({ file: merged.file, pointer }, merged);
}

/** Runs the work; places its problems in the files that set the values concerned. */
function inFilesThatSet<T>(merged: MergedProfile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const problems = error.problems.map((problem) => ({ ...problem, ...findPlace(problem.pointer ?? '', merged) }));
    throw new CliError(error.exitCode, problems, { cause: error });
  }
}

function withLine<P extends Pick<Problem, 'file' | 'pointer' | 'line'>>(problem: P, merged: MergedProfile): P {
  const { file, pointer } = problem;
  const line = file === undefined || pointer === undefined ? undefined : lineIn(merged, file, pointer);
  return line === undefined ? problem : { ...problem, line };
}

function loginProblems(profile: Profile, merged: MergedProfile): Problem[] {
  const place = findPlace(
    merged.origins.get('/login/type') === merged.file ? '/login/type' : '/login/providers',
    merged,
  );
  const { type, providers } = profile.login;
  const ids = providers.map(({ id }) => id);
  if (type === 'AD' && ids.length === 0)
    return [
      {
        ...place,
        cause: 'Single sign-on needs at least one identity provider.',
        remedy: 'Name "first", "second" or both under login.providers.',
      },
    ];
  if (type === 'EMAIL_PW' && ids.length > 0)
    return [
      {
        ...place,
        cause: 'Email and password needs no identity provider.',
        remedy: 'Set login.type to "AD", or login.providers to [].',
      },
    ];
  return ids.flatMap((id, index) =>
    ids.indexOf(id) === index
      ? []
      : [
          {
            ...findPlace(`/login/providers/${index}/id`, merged),
            cause: `The identity provider "${id}" is named twice.`,
            remedy: 'Name each once: there are "first" and "second".',
          },
        ],
  );
}

function languageProblems({ language, languages }: Profile, merged: MergedProfile): Problem[] {
  const chosen = language.default;
  if (chosen === undefined || languages.includes(chosen)) return [];
  return [
    {
      ...findPlace('/language/default', merged),
      cause: `The default language "${chosen}" is none of the languages of the product.`,
      remedy: `Name one of ${languages.map((each) => `"${each}"`).join(', ')}, or add it to languages.`,
    },
  ];
}

function timeZoneProblems({ timeZone }: Profile, merged: MergedProfile): Problem[] {
  if (isTimeZone(timeZone)) return [];
  return [
    {
      ...findPlace('/timeZone', merged),
      cause: `${JSON.stringify(timeZone)} is no time zone of the IANA database.`,
      remedy: 'Write it like "Europe/Oslo".',
    },
  ];
}

async function readProduct(root: string, merged: MergedProfile, profile: Profile): Promise<Product> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const { title, shortName, login, language, languages, timeZone, progressiveWebApp, branding } = profile;
  return {
    profile: merged.name,
    title,
    shortName,
    version,
    login,
    // The first one is the fallback for other browser languages.
    languages: language.default === undefined ? languages : [...new Set([language.default, ...languages])],
    timeZone,
    progressiveWebApp,
    ...(await brandAddresses(path.dirname(merged.file), branding)),
    ...(branding.contact === undefined ? {} : { contact: branding.contact }),
  };
}

function listPointers(value: unknown, pointer = ''): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set([pointer]);
  const below = Object.entries(value).flatMap(([key, inner]) => [
    ...listPointers(inner, `${pointer}/${escapePointer(key)}`),
  ]);
  return new Set([pointer, ...below]);
}
