import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { definePlugin, type PluginManifest } from '#core';
import { CliError } from '../cli-error.ts';
import { readProfileChain } from './profile-chain.ts';
import { listOutsideFiles } from './profile-sources.ts';
import { resolveProfile } from './resolve-profile.ts';
import type { KnownPlugin } from './resolved-profile.ts';

const buildPlugin = (manifest: PluginManifest): KnownPlugin => ({
  manifest,
  folder: `/plugins/${manifest.id}`,
  web: true,
  server: true,
  webBridges: manifest.bridges,
  serverBridges: [],
});
const noSettings = Type.Object({});
const manifests: readonly PluginManifest[] = [
  definePlugin({
    id: 'media',
    title: 'media.title',
    base: true,
    settings: noSettings,
    access: [],
    requires: [],
    bridges: [],
  }),
  definePlugin({
    id: 'tour',
    title: 'tour.title',
    settings: noSettings,
    access: [],
    requires: ['media'],
    bridges: [],
  }),
  definePlugin({
    id: 'permits',
    title: 'permits.title',
    settings: Type.Object(
      {
        complianceMinimum: Type.Number({ minimum: 0, maximum: 1, default: 0.2 }),
        dashboard: Type.Boolean({ default: true }),
      },
      { additionalProperties: false },
    ),
    access: [],
    requires: ['tour'],
    bridges: ['map'],
  }),
  definePlugin({ id: 'map', title: 'map.title', settings: noSettings, access: [], requires: ['tour'], bridges: [] }),
  definePlugin({
    id: 'viewer',
    title: 'viewer.title',
    settings: Type.Object(
      {
        engine: Type.Enum(['builtin', 'external'], { default: 'builtin' }),
        address: Type.Optional(Type.String({ description: 'Where it is.' })),
      },
      {
        additionalProperties: false,
        if: { properties: { engine: { const: 'builtin' } } },
        else: { required: ['address'] },
      },
    ),
    access: [],
    requires: [],
    bridges: [],
  }),
  definePlugin({ id: 'egg', title: 'egg.title', settings: noSettings, access: [], requires: ['hen'], bridges: [] }),
  definePlugin({ id: 'hen', title: 'hen.title', settings: noSettings, access: [], requires: ['egg'], bridges: [] }),
];
const plugins = new Map(manifests.map((manifest) => [manifest.id, buildPlugin(manifest)]));
const requiredSettings = {
  title: 'Plant',
  shortName: 'Plant',
  login: { type: 'EMAIL_PW' },
  branding: { color: '#3163A9', logo: 'brands/logo.svg' },
};

let root: string;
const writeProfile = (name: string, value: unknown): Promise<void> =>
  writeFile(path.join(root, 'profiles', `${name}.json`), typeof value === 'string' ? value : JSON.stringify(value));
const resolveByName = (name: string) => resolveProfile(root, name, plugins);
const listProblems = async (name: string) => {
  const error: unknown = await resolveByName(name).catch((cause: unknown) => cause);
  if (!(error instanceof CliError)) throw new Error(`'${name}' was not refused: ${String(error)}`);
  expect(error.exitCode).toBe(3);
  return error.problems.map(({ line: _line, ...problem }) => ({ ...problem, file: path.basename(problem.file ?? '') }));
};
/** The pointers and lines of the problems; `listProblems` omits the lines. */
const readLines = async (name: string) => {
  const error: unknown = await resolveByName(name).catch((cause: unknown) => cause);
  return (error as CliError).problems.map(({ pointer, line }) => [pointer, line]);
};

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'walkdown-profile-'));
  await mkdir(path.join(root, 'profiles', 'brands'), { recursive: true });
  await writeFile(path.join(root, 'package.json'), '{"version":"1.2.3"}');
  await cp(path.resolve('profiles/brands/walkdown/logo.svg'), path.join(root, 'profiles/brands/logo.svg'));
});
afterEach(() => rm(root, { recursive: true }));

describe('a profile', () => {
  it('with email and password does not inherit identity providers', async () => {
    await writeProfile('base', {
      ...requiredSettings,
      login: { type: 'AD', providers: [{ id: 'first', label: 'X' }], logoutAddress: 'https://bye.example' },
      plugins: {},
    });
    await writeProfile('a', { extends: 'base', login: { type: 'EMAIL_PW' } });
    const resolvedProfile = await resolveByName('a');
    expect(resolvedProfile.product.login).toEqual({
      type: 'EMAIL_PW',
      adminsNeedSecondFactor: false,
      providers: [],
      logoutAddress: 'https://bye.example',
      minPasswordLength: 12,
    });
    expect(resolvedProfile.origins.get('/login/providers')).toBe('default');
  });

  it('gives base plugins that are not named in any file the origin "default"', async () => {
    await writeProfile('base', { ...requiredSettings, plugins: { tour: {} } });
    await writeProfile('a', { extends: 'base' });
    const { origins } = await resolveByName('a');
    expect([origins.get('/plugins/media'), path.basename(origins.get('/plugins/tour') ?? '')]).toEqual([
      'default',
      'base.json',
    ]);
  });

  it('has no origins for the settings of a disabled plugin', async () => {
    await writeProfile('a', { ...requiredSettings, plugins: { tour: {}, permits: { complianceMinimum: 0.5 } } });
    await writeProfile('b', { extends: 'a', plugins: { permits: false } });
    const { value, origins } = await readProfileChain(path.join(root, 'profiles'), 'b');
    expect(value.plugins).toEqual({ tour: {}, permits: false });
    expect(
      [...origins].flatMap(([pointer, file]) =>
        pointer.startsWith('/plugins/permits') ? [[pointer, path.basename(file)]] : [],
      ),
    ).toEqual([['/plugins/permits', 'b.json']]);
  });

  it('may begin with a byte order mark', async () => {
    await writeProfile('a', `\uFEFF${JSON.stringify({ ...requiredSettings, plugins: {} })}`);
    expect((await resolveByName('a')).product.title).toBe('Plant');
  });

  it('has base plugins and defaults, and its plugins in order of requirement', async () => {
    await writeProfile('a', { ...requiredSettings, plugins: { permits: {}, tour: {} } });
    const resolvedProfile = await resolveByName('a');
    expect(resolvedProfile.enabled).toEqual(['media', 'tour', 'permits']);
    expect(resolvedProfile.disabled).toEqual(['egg', 'hen', 'map', 'viewer']);
    expect(resolvedProfile.settings).toEqual({
      media: {},
      tour: {},
      permits: { complianceMinimum: 0.2, dashboard: true },
    });
    expect(resolvedProfile.bridges).toEqual([]);
    expect(resolvedProfile.product).toMatchObject({
      profile: 'a',
      title: 'Plant',
      version: '1.2.3',
      progressiveWebApp: false,
      languages: ['en', 'fr'],
      timeZone: 'UTC',
    });
    expect(resolvedProfile.product.logo).toMatch(/^\/dashboard\/static\/brand\/logo-[0-9a-f]{8}\.svg$/);
  });

  it('[PRO-12] extends another profile and can remove inherited plugins', async () => {
    await writeProfile('a', {
      ...requiredSettings,
      plugins: { tour: {}, map: {}, permits: { complianceMinimum: 0.5 } },
    });
    await writeProfile('b', { extends: 'a', title: 'Other', plugins: { map: false, permits: { dashboard: false } } });
    const resolvedProfile = await resolveByName('b');
    expect(resolvedProfile.product.title).toBe('Other');
    expect(resolvedProfile.enabled).toEqual(['media', 'tour', 'permits']);
    expect(resolvedProfile.settings.permits).toEqual({ complianceMinimum: 0.5, dashboard: false });
    const getOrigin = (pointer: string) => path.basename(resolvedProfile.origins.get(pointer) ?? '');
    expect([
      getOrigin('/title'),
      getOrigin('/shortName'),
      getOrigin('/plugins/permits/complianceMinimum'),
      getOrigin('/plugins/permits/dashboard'),
      getOrigin('/languages'),
    ]).toEqual(['b.json', 'a.json', 'a.json', 'b.json', 'default']);
  });

  it('lists the default language first', async () => {
    await writeProfile('a', { ...requiredSettings, language: { default: 'fr' }, plugins: {} });
    expect((await resolveByName('a')).product.languages).toEqual(['fr', 'en']);
  });

  it('may be a file in any folder, with brand files and extended files elsewhere', async () => {
    const folder = path.join(root, 'Kunden & Söhne', 'Müller GmbH');
    await mkdir(path.join(folder, 'Bilder'), { recursive: true });
    await cp(path.join(root, 'profiles/brands/logo.svg'), path.join(folder, 'Bilder', 'Zeichen ü.svg'));
    await cp(path.join(root, 'profiles/brands/logo.svg'), path.join(root, 'Kunden & Söhne', 'foto.svg'));
    await writeProfile('base', { ...requiredSettings, plugins: { tour: {} } });
    const absolute = path.join(root, 'profiles/brands/logo.svg');
    const branding = { logo: 'Bilder/Zeichen ü.svg', backgrounds: ['../foto.svg', absolute] };
    await writeFile(path.join(folder, 'common.json'), JSON.stringify({ extends: 'base', title: 'Müller', branding }));
    await mkdir(path.join(folder, 'werk'));
    const profile = path.join(folder, 'werk', 'profile.json');
    await writeFile(profile, JSON.stringify({ extends: '../common.json', shortName: 'M', plugins: { map: {} } }));

    const resolvedProfile = await resolveByName(profile);
    expect([resolvedProfile.name, resolvedProfile.product.profile]).toEqual(['werk', 'werk']);
    expect(resolvedProfile.product).toMatchObject({
      title: 'Müller',
      shortName: 'M',
      backgrounds: [{}, {}].map(
        () => expect.stringMatching(/^\/dashboard\/static\/brand\/background-\d-[0-9a-f]{8}\.svg$/) as string,
      ),
    });
    expect(resolvedProfile.enabled).toEqual(['media', 'tour', 'map']);
    expect(
      listOutsideFiles(path.join(root, 'profiles'), resolvedProfile).map((file) => path.relative(folder, file)),
    ).toEqual(['werk/profile.json', 'common.json', 'Bilder/Zeichen ü.svg', '../foto.svg']);
    // A logo path is relative to the profile that sets it, also if another profile extends that one.
    await writeFile(profile, JSON.stringify({ extends: 'base' }));
    expect((await resolveByName(profile)).product.logo).toBe((await resolveByName('base')).product.logo);
  });

  it('has a bridge only if both sides are enabled', async () => {
    await writeProfile('a', { ...requiredSettings, plugins: { tour: {}, map: {}, permits: {} } });
    expect((await resolveByName('a')).bridges).toEqual([['permits', 'map']]);
  });
});

describe('a profile is refused, with file, pointer, cause and remedy, for', () => {
  it('an unknown plugin', async () => {
    await writeProfile('a', { ...requiredSettings, plugins: { permitz: {} } });
    expect(await listProblems('a')).toEqual([
      {
        file: 'a.json',
        pointer: '/plugins/permitz',
        cause: "There is no plugin 'permitz'.",
        remedy: expect.stringContaining('permits'),
      },
    ]);
  });

  it('an unknown setting, a wrong type and wrong top-level settings, all at once', async () => {
    await writeProfile('a', {
      ...requiredSettings,
      title: 5,
      plugins: { tour: {}, permits: { compliance: 1, dashboard: 'yes' } },
    });
    const problems = await listProblems('a');
    expect(problems.map(({ pointer }) => pointer).sort()).toEqual([
      '/plugins/permits/compliance',
      '/plugins/permits/dashboard',
      '/title',
    ]);
    for (const problem of problems) expect(problem.cause).not.toBe('');
  });

  it('a required plugin that is disabled', async () => {
    await writeProfile('a', { ...requiredSettings, plugins: { permits: {} } });
    expect(await listProblems('a')).toEqual([
      {
        file: 'a.json',
        pointer: '/plugins/permits',
        cause: "'permits' requires 'tour', which is off.",
        remedy: expect.stringContaining('"tour": {}'),
      },
    ]);
  });

  it('an inherited plugin whose requirement was disabled, in the file and line that enabled it', async () => {
    await writeProfile('base', '{\n  "plugins": {\n    "tour": {},\n    "permits": {}\n  }\n}');
    await writeProfile('a', { ...requiredSettings, extends: 'base', plugins: { tour: false } });
    expect((await listProblems('a'))[0]).toMatchObject({ file: 'base.json', pointer: '/plugins/permits' });
    expect(await readLines('a')).toEqual([['/plugins/permits', 4]]);
  });

  it('plugins that require each other in a cycle', async () => {
    await writeProfile('a', { ...requiredSettings, plugins: { egg: {}, hen: {} } });
    expect((await listProblems('a'))[0]?.cause).toContain('egg -> hen -> egg');
  });

  it('profiles that extend each other in a cycle, or a missing one', async () => {
    await writeProfile('a', { extends: 'b' });
    await writeProfile('b', { extends: 'a' });
    await writeProfile('c', { extends: 'nothing' });
    expect((await listProblems('a'))[0]?.cause).toContain('a -> b -> a');
    expect((await listProblems('c'))[0]).toMatchObject({
      file: 'c.json',
      pointer: '/extends',
      remedy: expect.stringContaining('a, b, c'),
    });
  });

  it('an extended file that does not exist or that is named without its path', async () => {
    const folder = path.join(root, 'customer');
    await mkdir(folder);
    const file = path.join(folder, 'plant.json');
    await writeFile(file, JSON.stringify({ extends: '../nowhere/base.json' }));
    expect((await listProblems(file))[0]).toMatchObject({
      pointer: '/extends',
      cause: expect.stringContaining('nowhere') as string,
      remedy: expect.stringContaining('relative to the file that names it') as string,
    });
    await writeFile(path.join(folder, 'base.json'), '{}');
    await writeFile(file, JSON.stringify({ extends: 'base' }));
    expect((await listProblems(file))[0]?.remedy).toContain('Write "./base.json"');
    await writeFile(file, JSON.stringify({ extends: 5 }));
    expect((await listProblems(file))[0]?.remedy).toContain('"./base.json"');
  });

  it('a disabled base plugin', async () => {
    await writeProfile('a', { ...requiredSettings, plugins: { media: false } });
    expect((await listProblems('a'))[0]).toMatchObject({
      pointer: '/plugins/media',
      cause: expect.stringContaining('belongs to every product'),
    });
  });

  it('a folder, an empty file, and plugins that are no object', async () => {
    await mkdir(path.join(root, 'profiles', 'folder.json'));
    await writeProfile('empty', ' \n');
    await writeProfile('list', { ...requiredSettings, plugins: ['tour'] });
    await writeProfile('word', { ...requiredSettings, plugins: 'tour' });
    expect(await listProblems('folder')).toEqual([
      { file: 'folder.json', cause: 'It is a folder, not a profile.', remedy: expect.any(String) },
    ]);
    expect((await listProblems('empty'))[0]).toMatchObject({
      cause: 'The file is empty.',
      remedy: expect.stringContaining('default.json'),
    });
    for (const name of ['list', 'word'])
      expect((await listProblems(name))[0]).toMatchObject({
        pointer: '/plugins',
        cause: expect.stringContaining('must be an object'),
        remedy: expect.stringContaining('"tour": {}'),
      });
  });

  it('values of a wrong type and unknown values, each with a remedy', async () => {
    await writeProfile('a', { ...requiredSettings, title: 5, languages: ['xx'], plugins: {} });
    const problems = await listProblems('a');
    expect(problems.find(({ pointer }) => pointer === '/title')).toMatchObject({
      cause: '"title" must be a text, and is 5.',
      remedy: expect.stringContaining('double quotes'),
    });
    expect(problems.find(({ pointer }) => pointer === '/languages/0')).toMatchObject({
      cause: '"languages.0" has the unknown value "xx".',
      remedy: 'Possible values: "en", "fr".',
    });
  });

  it('a wrong login setting, in the file that changes it', async () => {
    await writeProfile('base', { ...requiredSettings, login: { type: 'EMAIL_PW' }, plugins: {} });
    await writeProfile('a', { extends: 'base', login: { type: 'AD' } });
    expect((await listProblems('a'))[0]).toMatchObject({
      file: 'a.json',
      pointer: '/login/type',
      cause: expect.stringContaining('at least one identity provider'),
    });
  });

  it('a time zone that the IANA database does not have, in the file that sets it', async () => {
    await writeProfile('base', { ...requiredSettings, timeZone: 'Asia/Kolkata', plugins: {} });
    await writeProfile('a', { extends: 'base' });
    expect((await resolveByName('a')).product.timeZone).toBe('Asia/Kolkata');
    await writeProfile('base', { ...requiredSettings, timeZone: 'Oslo', plugins: {} });
    expect(await listProblems('a')).toEqual([
      {
        file: 'base.json',
        pointer: '/timeZone',
        cause: '"Oslo" is not a time zone of the IANA database.',
        remedy: expect.stringContaining('Europe/Oslo') as string,
      },
    ]);
  });

  it.each([
    ['an extra comma', '{\n  "title": "x",,\n}', /comma.*line 2/],
    ['a comma at the end', '{\n  "title": "x",\n}', /comma.*line 3/],
    ['a missing comma', '{\n  "title": "x"\n  "shortName": "y"\n}', /a comma is missing.*line 3/],
    ['a text without its end', '{\n  "title": "x\n}', /no closing quote.*line 2/],
    ['a word without quotes', '{\n  "title": x\n}', /without quotes.*line 2/],
    ['a missing brace', '{\n  "login": {\n', /closing }/],
    ['text after the object', '{}\n{}', /after the end.*line 2/],
    ['a backslash in a path', '{\n  "branding": { "logo": "C:\\path" }\n}', /backslash.*line 2/],
    ['an invalid number', '{ "title": 01 }', /line 1/],
  ])('broken JSON, with the line: %s', async (_, text, message) => {
    await writeProfile('a', text);
    const problems = await listProblems('a');
    expect(problems).toHaveLength(1);
    expect(problems[0]?.cause).toMatch(message);
    expect(problems[0]?.remedy).toMatch(/\.$/);
  });

  it('comments, each with its line, and other problems', async () => {
    await writeProfile('a', '{\n  // the title\n  "title": "x", /* and\n more */ "shortName": }\n');
    const problems = await listProblems('a');
    expect(problems.map(({ cause }) => cause)).toEqual([
      expect.stringMatching(/^There is a comment/),
      expect.stringMatching(/^There is a comment/),
      expect.stringMatching(/a value is missing.*line 4/),
    ]);
    expect((await readLines('a')).map(([, line]) => line)).toEqual([2, 3, 4]);
  });

  it('a duplicate key, at any depth, with both lines', async () => {
    await writeProfile(
      'a',
      '{\n "title": "x",\n "login": {\n  "type": "AD",\n  "type": "EMAIL_PW"\n },\n "title": "y"\n}',
    );
    expect(await listProblems('a')).toEqual([
      expect.objectContaining({ pointer: '/login/type', cause: expect.stringContaining('first in line 4') as string }),
      expect.objectContaining({ pointer: '/title', cause: expect.stringContaining('first in line 2') as string }),
    ]);
    expect(await readLines('a')).toEqual([
      ['/login/type', 5],
      ['/title', 7],
    ]);
  });

  it.each([
    ['UTF-16 with its mark', Buffer.from('\uFEFF{}', 'utf16le'), /UTF-16/],
    ['UTF-16 without a mark', Buffer.from('{}', 'utf16le'), /UTF-16/],
    ['UTF-16 with swapped bytes', Buffer.from('\uFEFF{}', 'utf16le').swap16(), /UTF-16/],
    ['a letter of Latin 1', Buffer.from('{\n "title": "M\u00fcller"}', 'latin1'), /not encoded as UTF-8/],
  ])('an encoding other than UTF-8: %s', async (_, content, message) => {
    await writeFile(path.join(root, 'profiles', 'a.json'), content);
    expect(await listProblems('a')).toEqual([
      expect.objectContaining({
        file: 'a.json',
        cause: expect.stringMatching(message) as string,
        remedy: expect.stringContaining('Save it as UTF-8') as string,
      }),
    ]);
  });

  it('an empty list of languages, a duplicate, and a default that is not in it', async () => {
    await writeProfile('a', { ...requiredSettings, languages: [], plugins: {} });
    await writeProfile('b', { ...requiredSettings, languages: ['fr', 'fr'], plugins: {} });
    await writeProfile('c', { ...requiredSettings, languages: ['fr'], language: { default: 'en' }, plugins: {} });
    expect(await listProblems('a')).toEqual([
      {
        file: 'a.json',
        pointer: '/languages',
        cause: '"languages" is an empty list.',
        remedy: 'Name at least 1 entry, or remove the setting to use its default.',
      },
    ]);
    expect((await listProblems('b'))[0]).toMatchObject({
      cause: '"languages" names "fr" twice.',
      remedy: 'Name each once.',
    });
    expect(await listProblems('c')).toEqual([
      {
        file: 'c.json',
        pointer: '/language/default',
        cause: 'The default language "en" is not a language of the product.',
        remedy: 'Name one of "fr", or add it to languages.',
      },
    ]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'https://', 'bye', 'https://a b'])(
    'the logout address %s',
    async (logoutAddress) => {
      await writeProfile('a', {
        ...requiredSettings,
        login: { ...requiredSettings.login, logoutAddress },
        plugins: {},
      });
      expect(await listProblems('a')).toEqual([
        {
          file: 'a.json',
          pointer: '/login/logoutAddress',
          cause: `"login.logoutAddress" has the wrong format: ${JSON.stringify(logoutAddress)}.`,
          remedy: 'Write it like "https://login.customer.example/logout".',
        },
      ]);
    },
  );

  it('a missing setting that the value of another one requires', async () => {
    await writeProfile('a', { ...requiredSettings, plugins: { viewer: { engine: 'external' } } });
    expect(await listProblems('a')).toEqual([
      {
        file: 'a.json',
        pointer: '/plugins/viewer',
        cause: 'The setting "address" is missing in "plugins.viewer", which must be set if engine is "external".',
        remedy: 'Add "address". It has this meaning: Where it is.',
      },
    ]);
    await writeProfile('b', { ...requiredSettings, plugins: { viewer: {} } });
    expect((await resolveByName('b')).settings.viewer).toEqual({ engine: 'builtin' });
  });

  it('missing settings, and each kind of invalid value, in one sentence each', async () => {
    await writeProfile('a', {
      title: '',
      shortName: 'x'.repeat(30),
      login: {},
      branding: { color: '#3163A9' },
      progressiveWebApp: 'yes',
      plugins: { permits: { complianceMinimum: 2, dashboard: 1 } },
    });
    const causes = Object.fromEntries(
      (await listProblems('a')).map(({ pointer, cause }) => [`${pointer} ${cause}`, 0]),
    );
    expect(Object.keys(causes).sort()).toEqual([
      '/branding The setting "logo" is missing in "branding".',
      '/login The setting "type" is missing in "login".',
      '/plugins/permits/complianceMinimum "plugins.permits.complianceMinimum" is too large: 2.',
      '/plugins/permits/dashboard "plugins.permits.dashboard" must be true or false, and is 1.',
      '/progressiveWebApp "progressiveWebApp" must be true or false, and is "yes".',
      `/shortName "shortName" is too long: "${'x'.repeat(30)}".`,
      '/title "title" is empty.',
    ]);
    for (const { remedy } of await listProblems('a')) expect(remedy).toMatch(/\.$/);
  });

  it('problems in an extended file, at their lines in that file', async () => {
    await writeProfile('base', `{\n  "title": 5,\n  "plugins": {\n    "permits": { "dashbord": true }\n  }\n}`);
    await writeProfile('a', JSON.stringify({ ...requiredSettings, title: undefined, extends: 'base' }, null, 2));
    expect(await readLines('a')).toEqual(
      expect.arrayContaining([
        ['/title', 2],
        ['/plugins/permits/dashbord', 4],
      ]),
    );
  });

  it('[PRO-02] single sign-on without a provider, and a provider without single sign-on', async () => {
    await writeProfile('a', { ...requiredSettings, login: { type: 'AD' }, plugins: {} });
    await writeProfile('b', {
      ...requiredSettings,
      login: { type: 'EMAIL_PW', providers: [{ id: 'first', label: 'X' }] },
      plugins: {},
    });
    expect((await listProblems('a'))[0]?.cause).toContain('at least one identity provider');
    expect((await listProblems('b'))[0]?.cause).toContain('no identity provider');
  });

  it('a logo that is missing or contains a script', async () => {
    await writeProfile('a', {
      ...requiredSettings,
      branding: { color: '#000000', logo: 'brands/none.svg' },
      plugins: {},
    });
    await writeFile(
      path.join(root, 'profiles/brands/bad.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>',
    );
    await writeProfile('b', {
      ...requiredSettings,
      branding: { color: '#000000', logo: 'brands/bad.svg' },
      plugins: {},
    });
    expect((await listProblems('a'))[0]).toMatchObject({
      pointer: '/branding/logo',
      cause: expect.stringMatching(/no file '.*\/profiles\/brands\/none\.svg'/),
    });
    expect((await listProblems('b'))[0]?.cause).toContain('It contains <script>: a script.');
  });

  const buildDrawing = (content: string, attributes = 'viewBox="0 0 1 1"'): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;
  it.each([
    ['a picture', buildDrawing('<image href="a.png"/>'), '<image>: a pixel image'],
    ['foreign content', buildDrawing('<foreignObject/>'), '<foreignObject>: content of another kind'],
    ['a drawing from elsewhere', buildDrawing('<use href="b.svg#a"/>'), '<use>: a reference to another drawing'],
    ['a prefixed script', buildDrawing('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'), '<s:script>: a script'],
    ['a script of HTML', buildDrawing('<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>'), '<h:script>: a script'],
    ['an encoded link', buildDrawing('<a xlink:href="&#106;ava&#10;script:alert(1)"/>'), '<a>: a link'],
    [
      'a <set> element that changes a link',
      buildDrawing('<set attributeName="href" to="javascript:alert(1)"/>'),
      '<set>: an animation',
    ],
    ['an animated link', buildDrawing('<animate attributeName="href"/>'), '<animate>: an animation'],
    ['a style sheet', buildDrawing('<style>@import url(https://evil.test)</style>'), '<style>: a style sheet'],
    ['an outside filter', buildDrawing('<filter id="f"><feImage href="a.png"/></filter>'), '<filter>: a filter'],
    ['a filter by address', buildDrawing('<g filter="url(https://evil.test#f)"/>'), "a filter, by 'filter'"],
    ['an outside mask', buildDrawing('<g mask="url(https://evil.test#m)"/>'), "an external file, by 'mask'"],
    ['an outside paint in a style', buildDrawing('<g style="fill:url(https://evil.test#m)"/>'), "by 'style'"],
    ['an event handler', buildDrawing('', 'viewBox="0 0 1 1" onload="alert(1)"'), "event handler 'onload'"],
    ['a style sheet instruction', `<?xml-stylesheet href="a.css"?>${buildDrawing('')}`, '<?xml-stylesheet?>'],
    ['a DOCTYPE', `<!DOCTYPE svg [<!ENTITY a "b">]>${buildDrawing('')}`, 'DOCTYPE'],
    ['HTML around it', `<html xmlns="http://www.w3.org/1999/xhtml">${buildDrawing('')}</html>`, 'not an SVG file'],
    ['an open element', buildDrawing('<g>'), 'not well-formed'],
    ['2.4 MB', buildDrawing(`<path d="${'M0 0h1'.repeat(400_000)}"/>`), '2401 kB; at most 200 kB'],
    ['no viewBox', buildDrawing('', 'width="10"'), 'no viewBox'],
    ['an empty viewBox', buildDrawing('', 'viewBox="0 0 0 0"'), "viewBox '0 0 0 0' is not a valid area"],
    ['a viewBox of words', buildDrawing('', 'viewBox="a b c d"'), "viewBox 'a b c d' is not a valid area"],
  ])('a logo with %s', async (_, content, message) => {
    await writeFile(path.join(root, 'profiles/brands/bad.svg'), content);
    await writeProfile('a', {
      ...requiredSettings,
      branding: { color: '#000000', logo: 'brands/bad.svg' },
      plugins: {},
    });
    expect(await listProblems('a')).toEqual([
      expect.objectContaining({
        pointer: '/branding/logo',
        cause: expect.stringContaining(message) as string,
        remedy: expect.stringMatching(/\.$/) as string,
      }),
    ]);
  });

  it('an active dark logo, icon and background', async () => {
    await writeFile(path.join(root, 'profiles/brands/bad.svg'), buildDrawing('<script>alert(1)</script>'));
    const unsafeFile = 'brands/bad.svg';
    const branding = {
      color: '#000000',
      logo: 'brands/logo.svg',
      logoDark: unsafeFile,
      icon: unsafeFile,
      backgrounds: [unsafeFile],
    };
    await writeProfile('a', { ...requiredSettings, branding, plugins: {} });
    expect((await listProblems('a')).map(({ pointer, cause }) => [pointer, cause])).toEqual([
      ['/branding/logoDark', "The logo 'brands/bad.svg' cannot be used: It contains <script>: a script."],
      ['/branding/icon', "The icon 'brands/bad.svg' cannot be used: It contains <script>: a script."],
      ['/branding/backgrounds/0', "The background 'brands/bad.svg' cannot be used: It contains <script>: a script."],
    ]);
  });

  it('a wrong logo and a wrong setting, both at once', async () => {
    await writeProfile('a', {
      ...requiredSettings,
      colour: 'x',
      branding: { color: 'green', logo: 'brands/none.svg' },
      plugins: {},
    });
    const problems = await listProblems('a');
    expect(problems.map(({ pointer }) => pointer).sort()).toEqual(['/branding/color', '/branding/logo', '/colour']);
    expect(problems.find(({ pointer }) => pointer === '/branding/color')).toMatchObject({
      cause: '"branding.color" has the wrong format: "green".',
      remedy: 'Write it like "#0B6E4F".',
    });
  });

  it('a misspelt name, with the existing one as remedy', async () => {
    await writeProfile('plant', { ...requiredSettings, plugins: {} });
    await writeProfile('a', { extends: 'plnat' });
    await writeProfile('b', { ...requiredSettings, plugins: { permit: {}, permits: { dashbord: true } } });
    expect((await listProblems('a'))[0]?.remedy).toMatch(/^Did you mean 'plant'\? Available profiles: /);
    expect((await listProblems('plnt'))[0]?.remedy).toMatch(/^Did you mean 'plant'\? /);
    const remedies = Object.fromEntries((await listProblems('b')).map(({ pointer, remedy }) => [pointer, remedy]));
    expect(remedies['/plugins/permit']).toMatch(/^Did you mean the plugin 'permits'\? Known here: .*tour/);
    expect(remedies['/plugins/permits/dashbord']).toBe(
      "Did you mean the setting 'dashboard'? Known here: complianceMinimum, dashboard.",
    );
  });
});
