import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { definePlugin, type PluginManifest } from '#core';
import { CliError } from '../cli-error.ts';
import { readProfileChain } from './profile-chain.ts';
import { resolveProfile } from './resolve-profile.ts';
import type { KnownPlugin } from './resolved-profile.ts';

const known = (manifest: PluginManifest): KnownPlugin => ({
  manifest,
  folder: `/plugins/${manifest.id}`,
  web: true,
  server: true,
  webBridges: manifest.bridges,
  serverBridges: [],
});
const none = Type.Object({});
const manifests: readonly PluginManifest[] = [
  definePlugin({
    id: 'ground',
    title: 'ground.title',
    base: true,
    settings: none,
    access: [],
    requires: [],
    bridges: [],
  }),
  definePlugin({ id: 'tour', title: 'tour.title', settings: none, access: [], requires: ['ground'], bridges: [] }),
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
  definePlugin({ id: 'map', title: 'map.title', settings: none, access: [], requires: ['tour'], bridges: [] }),
  definePlugin({ id: 'egg', title: 'egg.title', settings: none, access: [], requires: ['hen'], bridges: [] }),
  definePlugin({ id: 'hen', title: 'hen.title', settings: none, access: [], requires: ['egg'], bridges: [] }),
];
const plugins = new Map(manifests.map((manifest) => [manifest.id, known(manifest)]));
const head = {
  title: 'Plant',
  shortName: 'Plant',
  login: { type: 'EMAIL_PW' },
  branding: { color: '#3163A9', logo: 'brands/logo.svg' },
};

let root: string;
const write = (name: string, value: unknown): Promise<void> =>
  writeFile(path.join(root, 'profiles', `${name}.json`), typeof value === 'string' ? value : JSON.stringify(value));
const resolve = (name: string) => resolveProfile(root, name, plugins);
const problemsOf = async (name: string) => {
  const error: unknown = await resolve(name).catch((cause: unknown) => cause);
  if (!(error instanceof CliError)) throw new Error(`'${name}' was not refused: ${String(error)}`);
  expect(error.exitCode).toBe(3);
  return error.problems.map((problem) => ({ ...problem, file: path.basename(problem.file ?? '') }));
};

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'walkdown-profile-'));
  await mkdir(path.join(root, 'profiles', 'brands'), { recursive: true });
  await writeFile(path.join(root, 'package.json'), '{"version":"1.2.3"}');
  await cp(path.resolve('profiles/brands/walkdown/logo.svg'), path.join(root, 'profiles/brands/logo.svg'));
});
afterEach(() => rm(root, { recursive: true }));

describe('a profile', () => {
  it('of email and password need not undo the identity providers of the one that it extends', async () => {
    await write('base', {
      ...head,
      login: { type: 'AD', providers: [{ id: 'first', label: 'X' }], logoutAddress: 'https://bye.example' },
      plugins: {},
    });
    await write('a', { extends: 'base', login: { type: 'EMAIL_PW' } });
    const resolved = await resolve('a');
    expect(resolved.product.login).toEqual({
      type: 'EMAIL_PW',
      providers: [],
      logoutAddress: 'https://bye.example',
      minPasswordLength: 12,
    });
    expect(resolved.origins.get('/login/providers')).toBe('default');
  });

  it('credits what belongs to every product to no file that does not name it', async () => {
    await write('base', { ...head, plugins: { tour: {} } });
    await write('a', { extends: 'base' });
    const { origins } = await resolve('a');
    expect([origins.get('/plugins/ground'), path.basename(origins.get('/plugins/tour') ?? '')]).toEqual([
      'default',
      'base.json',
    ]);
  });

  it('names no file for the settings of a plugin that is switched off', async () => {
    await write('a', { ...head, plugins: { tour: {}, permits: { complianceMinimum: 0.5 } } });
    await write('b', { extends: 'a', plugins: { permits: false } });
    const { value, origins } = await readProfileChain(path.join(root, 'profiles'), 'b');
    expect(value.plugins).toEqual({ tour: {}, permits: false });
    expect(
      [...origins].flatMap(([pointer, file]) =>
        pointer.startsWith('/plugins/permits') ? [[pointer, path.basename(file)]] : [],
      ),
    ).toEqual([['/plugins/permits', 'b.json']]);
  });

  it('may begin with a mark of its encoding', async () => {
    await write('a', `\uFEFF${JSON.stringify({ ...head, plugins: {} })}`);
    expect((await resolve('a')).product.title).toBe('Plant');
  });

  it('has base plugins and defaults, and its plugins stand in the order in which they require each other', async () => {
    await write('a', { ...head, plugins: { permits: {}, tour: {} } });
    const resolved = await resolve('a');
    expect(resolved.enabled).toEqual(['ground', 'tour', 'permits']);
    expect(resolved.disabled).toEqual(['egg', 'hen', 'map']);
    expect(resolved.settings).toEqual({ ground: {}, tour: {}, permits: { complianceMinimum: 0.2, dashboard: true } });
    expect(resolved.bridges).toEqual([]);
    expect(resolved.product).toMatchObject({
      profile: 'a',
      title: 'Plant',
      version: '1.2.3',
      progressiveWebApp: false,
      languages: ['en', 'fr'],
      timeZone: 'UTC',
    });
    expect(resolved.product.logo).toMatch(/^\/dashboard\/static\/brand\/logo-[0-9a-f]{8}\.svg$/);
  });

  it('[PRO-12] starts from the profile it extends, and takes inherited plugins out', async () => {
    await write('a', { ...head, plugins: { tour: {}, map: {}, permits: { complianceMinimum: 0.5 } } });
    await write('b', { extends: 'a', title: 'Other', plugins: { map: false, permits: { dashboard: false } } });
    const resolved = await resolve('b');
    expect(resolved.product.title).toBe('Other');
    expect(resolved.enabled).toEqual(['ground', 'tour', 'permits']);
    expect(resolved.settings.permits).toEqual({ complianceMinimum: 0.5, dashboard: false });
    const origin = (pointer: string) => path.basename(resolved.origins.get(pointer) ?? '');
    expect([
      origin('/title'),
      origin('/shortName'),
      origin('/plugins/permits/complianceMinimum'),
      origin('/plugins/permits/dashboard'),
      origin('/languages'),
    ]).toEqual(['b.json', 'a.json', 'a.json', 'b.json', 'default']);
  });

  it('meets a bridge only where both sides are on', async () => {
    await write('a', { ...head, plugins: { tour: {}, map: {}, permits: {} } });
    expect((await resolve('a')).bridges).toEqual([['permits', 'map']]);
  });
});

describe('a profile is refused, with file, pointer, cause and way out, for', () => {
  it('an unknown plugin', async () => {
    await write('a', { ...head, plugins: { permitz: {} } });
    expect(await problemsOf('a')).toEqual([
      {
        file: 'a.json',
        pointer: '/plugins/permitz',
        cause: "There is no plugin 'permitz'.",
        wayOut: expect.stringContaining('permits'),
      },
    ]);
  });

  it('an unknown setting, a wrong type and a wrong head, all at once', async () => {
    await write('a', { ...head, title: 5, plugins: { tour: {}, permits: { compliance: 1, dashboard: 'yes' } } });
    const problems = await problemsOf('a');
    expect(problems.map(({ pointer }) => pointer).sort()).toEqual([
      '/plugins/permits/compliance',
      '/plugins/permits/dashboard',
      '/title',
    ]);
    for (const problem of problems) expect(problem.cause).not.toBe('');
  });

  it('a plugin that is required and off', async () => {
    await write('a', { ...head, plugins: { permits: {} } });
    expect(await problemsOf('a')).toEqual([
      {
        file: 'a.json',
        pointer: '/plugins/permits',
        cause: "'permits' requires 'tour', which is off.",
        wayOut: expect.stringContaining('"tour": {}'),
      },
    ]);
  });

  it('plugins that require each other in a circle', async () => {
    await write('a', { ...head, plugins: { egg: {}, hen: {} } });
    expect((await problemsOf('a'))[0]?.cause).toContain('egg -> hen -> egg');
  });

  it('profiles that extend each other in a circle, or something absent', async () => {
    await write('a', { extends: 'b' });
    await write('b', { extends: 'a' });
    await write('c', { extends: 'nothing' });
    expect((await problemsOf('a'))[0]?.cause).toContain('a -> b -> a');
    expect((await problemsOf('c'))[0]).toMatchObject({
      file: 'c.json',
      pointer: '/extends',
      wayOut: expect.stringContaining('a, b, c'),
    });
  });

  it('a base plugin that is turned off', async () => {
    await write('a', { ...head, plugins: { ground: false } });
    expect((await problemsOf('a'))[0]).toMatchObject({
      pointer: '/plugins/ground',
      cause: expect.stringContaining('belongs to every product'),
    });
  });

  it('a folder, an empty file, and plugins that are no object', async () => {
    await mkdir(path.join(root, 'profiles', 'folder.json'));
    await write('empty', ' \n');
    await write('list', { ...head, plugins: ['tour'] });
    await write('word', { ...head, plugins: 'tour' });
    expect(await problemsOf('folder')).toEqual([
      { file: 'folder.json', cause: 'It is a folder, not a profile.', wayOut: expect.any(String) },
    ]);
    expect((await problemsOf('empty'))[0]).toMatchObject({
      cause: 'The file is empty.',
      wayOut: expect.stringContaining('default.json'),
    });
    for (const name of ['list', 'word'])
      expect((await problemsOf(name))[0]).toMatchObject({
        pointer: '/plugins',
        cause: expect.stringContaining('must be an object'),
        wayOut: expect.stringContaining('"tour": {}'),
      });
  });

  it('values of a wrong type, and values that are not known, each with a way out', async () => {
    await write('a', { ...head, title: 5, languages: ['xx'], plugins: {} });
    const problems = await problemsOf('a');
    expect(problems.find(({ pointer }) => pointer === '/title')).toMatchObject({
      cause: "'title' must be of the type string.",
      wayOut: expect.stringContaining('profile.schema.json'),
    });
    expect(problems.find(({ pointer }) => pointer === '/languages/0')).toMatchObject({
      cause: '"xx" is none of the values that are known here.',
      wayOut: 'Known are: "en", "fr".',
    });
  });

  it('a mistake about the login, at the line of the file that the person wrote', async () => {
    await write('base', { ...head, login: { type: 'EMAIL_PW' }, plugins: {} });
    await write('a', { extends: 'base', login: { type: 'AD' } });
    expect((await problemsOf('a'))[0]).toMatchObject({
      file: 'a.json',
      pointer: '/login/type',
      cause: expect.stringContaining('at least one identity provider'),
    });
  });

  it('a time zone that the IANA database does not have, in the file that sets it', async () => {
    await write('base', { ...head, timeZone: 'Asia/Kolkata', plugins: {} });
    await write('a', { extends: 'base' });
    expect((await resolve('a')).product.timeZone).toBe('Asia/Kolkata');
    await write('base', { ...head, timeZone: 'Oslo', plugins: {} });
    expect(await problemsOf('a')).toEqual([
      {
        file: 'base.json',
        pointer: '/timeZone',
        cause: '"Oslo" is no time zone of the IANA database.',
        wayOut: expect.stringContaining('Europe/Oslo') as string,
      },
    ]);
  });

  it('broken JSON, with the line', async () => {
    await write('a', '{\n  "title": "x",,\n}');
    expect((await problemsOf('a'))[0]?.cause).toMatch(/line 2/);
  });

  it('[PRO-02] single sign-on without a provider, and a provider without single sign-on', async () => {
    await write('a', { ...head, login: { type: 'AD' }, plugins: {} });
    await write('b', { ...head, login: { type: 'EMAIL_PW', providers: [{ id: 'first', label: 'X' }] }, plugins: {} });
    expect((await problemsOf('a'))[0]?.cause).toContain('at least one identity provider');
    expect((await problemsOf('b'))[0]?.cause).toContain('no identity provider');
  });

  it('a logo that is missing or would run something', async () => {
    await write('a', { ...head, branding: { color: '#000000', logo: 'brands/none.svg' }, plugins: {} });
    await writeFile(
      path.join(root, 'profiles/brands/bad.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>',
    );
    await write('b', { ...head, branding: { color: '#000000', logo: 'brands/bad.svg' }, plugins: {} });
    expect((await problemsOf('a'))[0]).toMatchObject({
      pointer: '/branding/logo',
      cause: expect.stringContaining("no file 'brands/none.svg'"),
    });
    expect((await problemsOf('b'))[0]?.cause).toContain('It holds <script>: a script.');
  });

  const drawing = (inside: string, attributes = 'viewBox="0 0 1 1"'): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;
  it.each([
    ['a picture', drawing('<image href="a.png"/>'), '<image>: a picture of dots'],
    ['foreign content', drawing('<foreignObject/>'), '<foreignObject>: content of another kind'],
    ['a drawing from elsewhere', drawing('<use href="b.svg#a"/>'), '<use>: a drawing from another place'],
    ['a prefixed script', drawing('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'), '<s:script>: a script'],
    ['a script of HTML', drawing('<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>'), '<h:script>: a script'],
    ['an encoded link', drawing('<a xlink:href="&#106;ava&#10;script:alert(1)"/>'), '<a>: a link'],
    ['a set of a link', drawing('<set attributeName="href" to="javascript:alert(1)"/>'), '<set>: an animation'],
    ['an animated link', drawing('<animate attributeName="href"/>'), '<animate>: an animation'],
    ['a style sheet', drawing('<style>@import url(https://evil.test)</style>'), '<style>: a style sheet'],
    ['an outside filter', drawing('<filter id="f"><feImage href="a.png"/></filter>'), '<filter>: a filter'],
    ['a filter by address', drawing('<g filter="url(https://evil.test#f)"/>'), "a filter, by 'filter'"],
    ['an outside mask', drawing('<g mask="url(https://evil.test#m)"/>'), "from elsewhere, by 'mask'"],
    ['an outside paint in a style', drawing('<g style="fill:url(https://evil.test#m)"/>'), "by 'style'"],
    ['an event handler', drawing('', 'viewBox="0 0 1 1" onload="alert(1)"'), "event handler 'onload'"],
    ['a style sheet instruction', `<?xml-stylesheet href="a.css"?>${drawing('')}`, '<?xml-stylesheet?>'],
    ['a DOCTYPE', `<!DOCTYPE svg [<!ENTITY a "b">]>${drawing('')}`, 'DOCTYPE'],
    ['HTML around it', `<html xmlns="http://www.w3.org/1999/xhtml">${drawing('')}</html>`, 'no SVG drawing'],
    ['an open element', drawing('<g>'), 'not well-formed'],
    ['2.4 MB', drawing(`<path d="${'M0 0h1'.repeat(400_000)}"/>`), '2401 kB; at most 200 kB'],
    ['no viewBox', drawing('', 'width="10"'), 'no viewBox'],
    ['an empty viewBox', drawing('', 'viewBox="0 0 0 0"'), "viewBox '0 0 0 0' is no area"],
    ['a viewBox of words', drawing('', 'viewBox="a b c d"'), "viewBox 'a b c d' is no area"],
  ])('a logo with %s', async (_, content, words) => {
    await writeFile(path.join(root, 'profiles/brands/bad.svg'), content);
    await write('a', { ...head, branding: { color: '#000000', logo: 'brands/bad.svg' }, plugins: {} });
    expect(await problemsOf('a')).toEqual([
      expect.objectContaining({
        pointer: '/branding/logo',
        cause: expect.stringContaining(words) as string,
        wayOut: expect.stringMatching(/\.$/) as string,
      }),
    ]);
  });

  it('a dark logo, an icon and a background that would run something', async () => {
    await writeFile(path.join(root, 'profiles/brands/bad.svg'), drawing('<script>alert(1)</script>'));
    const bad = 'brands/bad.svg';
    const branding = { color: '#000000', logo: 'brands/logo.svg', logoDark: bad, icon: bad, backgrounds: [bad] };
    await write('a', { ...head, branding, plugins: {} });
    expect((await problemsOf('a')).map(({ pointer, cause }) => [pointer, cause])).toEqual([
      ['/branding/logoDark', "The logo 'brands/bad.svg' is not fit: It holds <script>: a script."],
      ['/branding/icon', "The icon 'brands/bad.svg' is not fit: It holds <script>: a script."],
      ['/branding/backgrounds/0', "The background 'brands/bad.svg' is not fit: It holds <script>: a script."],
    ]);
  });

  it('a logo and a setting at once', async () => {
    await write('a', { ...head, colour: 'x', branding: { color: 'green', logo: 'brands/none.svg' }, plugins: {} });
    const problems = await problemsOf('a');
    expect(problems.map(({ pointer }) => pointer).sort()).toEqual(['/branding/color', '/branding/logo', '/colour']);
    expect(problems.find(({ pointer }) => pointer === '/branding/color')).toMatchObject({
      cause: '"green" is not of the form that is asked for here.',
      wayOut: 'Write it like "#0B6E4F".',
    });
  });

  it('a name that is near to one that there is', async () => {
    await write('plant', { ...head, plugins: {} });
    await write('a', { extends: 'plnat' });
    await write('b', { ...head, plugins: { permit: {}, permits: { dashbord: true } } });
    expect((await problemsOf('a'))[0]?.wayOut).toMatch(/^Did you mean 'plant'\? There are: /);
    expect((await problemsOf('plnt'))[0]?.wayOut).toMatch(/^Did you mean 'plant'\? /);
    const ways = Object.fromEntries((await problemsOf('b')).map(({ pointer, wayOut }) => [pointer, wayOut]));
    expect(ways['/plugins/permit']).toMatch(/^Did you mean the plugin 'permits'\? Known here: .*tour/);
    expect(ways['/plugins/permits/dashbord']).toBe(
      "Did you mean the setting 'dashboard'? Known here: complianceMinimum, dashboard.",
    );
  });
});
