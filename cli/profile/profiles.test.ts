import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPlugins } from './load-plugins.ts';
import { createBrand } from './brand.ts';
import { listProfileNames } from './profile-chain.ts';
import { resolveProfile } from './resolve-profile.ts';
import type { KnownPlugin, ResolvedProfile } from './resolved-profile.ts';
import { settingsGuide, replaceSettingsTable } from './settings-table.ts';
import { formatEditorSchema } from './write-editor-schema.ts';

const root = process.cwd();
let plugins: ReadonlyMap<string, KnownPlugin>;
const profilesByName = new Map<string, ResolvedProfile>();
const getProfile = (name: string): ResolvedProfile => profilesByName.get(name) as ResolvedProfile;

beforeAll(async () => {
  plugins = await loadPlugins(root);
  for (const name of await listProfileNames(path.join(root, 'profiles')))
    profilesByName.set(name, await resolveProfile(root, name, plugins));
});

describe('the profiles of this project', () => {
  it('[PRO-12] are default, A to D and demo', () => {
    expect([...profilesByName.keys()]).toEqual(['default', 'demo', 'profile-a', 'profile-b', 'profile-c', 'profile-d']);
  });

  it('have the features of all their plugins, with and without screens', () => {
    expect(getProfile('demo').product.features).toContain('permitAccess');
    expect(getProfile('demo').product.features).not.toContain('pidAccess');
  });

  it('[PRO-02] sign in as the table of settings says', () => {
    const getLogin = (name: string) => [
      getProfile(name).product.login.type,
      ...getProfile(name).product.login.providers.map(({ id }) => id),
    ];
    expect(getLogin('default')).toEqual(['AD', 'first', 'second']);
    expect(getLogin('profile-a')).toEqual(['AD', 'first']);
    expect(getLogin('profile-b')).toEqual(['AD', 'second']);
    expect(getLogin('profile-c')).toEqual(['AD', 'first']);
    expect(getLogin('profile-d')).toEqual(['AD', 'first', 'second']);
    expect(getLogin('demo')).toEqual(['EMAIL_PW']);
  });

  it('[PRO-03] [PRO-08] [PRO-11] order locations, navigate on hover and register the worker as the table says', () => {
    const getSettings = (name: string) => {
      const { settings, product } = getProfile(name);
      return [
        (settings.locations as { alphabetical: boolean }).alphabetical,
        (settings.vr as { hoverNavigation: boolean }).hoverNavigation,
        product.progressiveWebApp,
      ];
    };
    expect(Object.fromEntries([...profilesByName.keys()].map((name) => [name, getSettings(name)]))).toEqual({
      default: [false, false, false],
      'profile-a': [true, false, false],
      'profile-b': [false, true, false],
      'profile-c': [false, false, false],
      'profile-d': [false, false, false],
      demo: [true, true, true],
    });
  });

  it('have the permits plugin exactly where the table says so', () => {
    const names = [...profilesByName.keys()].filter((name) => getProfile(name).enabled.includes('permits'));
    expect(names).toEqual(['default', 'demo', 'profile-a', 'profile-d']);
  });

  it('[PRO-04] ask the questions of the table before a tour', () => {
    const getFormSettings = (name: string) => {
      const { dropdowns, ratings } = getProfile(name).settings.feedback as { dropdowns: number; ratings: boolean };
      return [getProfile(name).enabled.includes('feedback'), dropdowns, ratings];
    };
    expect(Object.fromEntries([...profilesByName.keys()].map((name) => [name, getFormSettings(name)]))).toEqual({
      default: [true, 2, true],
      'profile-a': [true, 2, true],
      'profile-b': [true, 1, false],
      'profile-c': [true, 1, true],
      'profile-d': [true, 2, true],
      demo: [true, 2, true],
    });
  });

  it.each([
    ['[PRO-21:scan]', 'scan'],
    ['[PRO-21:annotate]', 'annotate'],
    ['[PRO-21:masters]', 'masters'],
    ['[PRO-21:media]', 'media'],
    ['[PRO-21:imports]', 'imports'],
    ['[PRO-21:expense]', 'expense'],
    ['[PRO-21:roles]', 'roles'],
    ['[PRO-21:users]', 'users'],
  ])('%s %s, which no setting controls, is in every profile', (_, id) => {
    expect(profilesByName.size).toBeGreaterThan(0);
    for (const [name, { enabled }] of profilesByName) expect(enabled, name).toContain(id);
  });

  it('[PRO-21:masters] always include masters, media and expense, but may remove scan and annotate', () => {
    const isBase = (id: string) => plugins.get(id)?.manifest.base ?? false;
    expect(['masters', 'media', 'expense', 'scan', 'annotate'].map(isBase)).toEqual([true, true, true, false, false]);
  });

  it('[PRO-17] D differs from the default by branding alone', () => {
    const differing = [...getProfile('profile-d').origins]
      .filter(([pointer, file]) => file.endsWith('profile-d.json') && !['/$schema', '/extends'].includes(pointer))
      .map(([pointer]) => pointer);
    expect(differing.sort()).toEqual(['/branding/color', '/branding/logo', '/shortName', '/title']);
    expect(getProfile('profile-d').enabled).toEqual(getProfile('default').enabled);
    expect(getProfile('profile-d').settings).toEqual(getProfile('default').settings);
  });

  it('[PRO-01] have their own titles, short names, colours and logos', () => {
    for (const part of ['title', 'logo'] as const) {
      const values = ['default', 'profile-a', 'profile-b', 'profile-c', 'profile-d'].map(
        (name) => getProfile(name).product[part],
      );
      expect(new Set(values).size, part).toBe(values.length);
    }
  });

  it('create brands with theme, icons and manifest, deterministically', async () => {
    const [first, second] = await Promise.all([
      createBrand(root, getProfile('profile-a')),
      createBrand(root, getProfile('profile-a')),
    ]);
    expect([...first.files.keys()]).toEqual(
      expect.arrayContaining([
        'favicon.svg',
        'icons/icon-192.png',
        'icons/icon-512.png',
        'icons/maskable-512.png',
        'manifest.webmanifest',
      ]),
    );
    expect(first.themeCss).toContain('--colorBrandBackground:#3163a9');
    for (const [name, content] of first.files)
      expect(Buffer.compare(Buffer.from(content), Buffer.from(second.files.get(name) ?? [])), name).toBe(0);
  });

  it('[PRO-01] create icons from their own drawing, and have a logo for dark backgrounds', async () => {
    const { profile: profileA, ...rest } = getProfile('profile-a');
    const branding = {
      ...profileA.branding,
      logoDark: getProfile('profile-b').profile.branding.logo,
      icon: getProfile('profile-c').profile.branding.logo,
    };
    const { files } = await createBrand(root, { ...rest, profile: { ...profileA, branding } });
    const [profileBrand, icon] = await Promise.all([
      createBrand(root, getProfile('profile-a')),
      createBrand(root, getProfile('profile-c')),
    ]);
    for (const name of ['favicon.svg', 'icons/icon-512.png', 'icons/apple-touch-icon.png'])
      expect([name, files.get(name)]).toEqual([name, icon.files.get(name)]);
    const drawings = [...files.keys()].filter((name) => /logo.*svg$/.test(name));
    expect(drawings).toEqual([
      expect.stringMatching(/\/logo-[0-9a-f]{8}\.svg$/),
      expect.stringMatching(/\/logo-dark-[0-9a-f]{8}\.svg$/),
    ]);
    expect([...profileBrand.files.keys()].some((name) => name.includes('logo-dark'))).toBe(false);
  });

  it('are valid by their own schema, as editors check them', async () => {
    const check = new Ajv2020({ allErrors: true, strict: false }).compile(
      JSON.parse(formatEditorSchema(plugins)) as object,
    );
    for (const name of profilesByName.keys()) {
      check(JSON.parse(await readFile(path.join(root, 'profiles', `${name}.json`), 'utf8')));
      expect(check.errors ?? [], name).toEqual([]);
    }
  });

  it('match the table of settings in the guide', async () => {
    const guide = await readFile(path.join(root, settingsGuide), 'utf8');
    expect(guide, 'run `npx walkdown validate --schema`').toBe(replaceSettingsTable(guide, plugins));
    expect(guide).toContain('| `plugins.vr.hoverNavigation` | `false` |');
  });

  it('match the committed editor schema', async () => {
    expect(
      await readFile(path.join(root, 'profiles/profile.schema.json'), 'utf8'),
      'run `npx walkdown validate --schema`',
    ).toBe(formatEditorSchema(plugins));
  });
});
