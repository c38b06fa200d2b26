import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadPlugins } from '../profile/load-plugins.ts';
import { resolveProfile } from '../profile/resolve-profile.ts';
import { projectRoot } from '../project-root.ts';
import { computeCodeDigest, computeSourceDigest } from './source-digest.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'walkdown-digest-'));
  for (const part of [
    'cli/bundle',
    'cli/profile',
    'core/common',
    'plugins',
    'profiles',
    'package.json',
    'package-lock.json',
  ])
    await cp(path.join(projectRoot, part), path.join(root, part), { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const addFile = async (file: string) => {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), 'export const added = 1;\n');
};

it('computes a code digest that ignores other profiles, disabled plugins, tests and tools', async () => {
  const plugins = await loadPlugins(projectRoot);
  const resolvedProfile = await resolveProfile(projectRoot, 'profile-c', plugins);
  const movedProfile = {
    ...resolvedProfile,
    plugins: new Map(
      [...resolvedProfile.plugins].map(([id, plugin]) => [
        id,
        { ...plugin, folder: path.join(root, path.relative(projectRoot, plugin.folder)) },
      ]),
    ),
  };
  const [disabledPlugin] = movedProfile.disabled;
  expect(disabledPlugin).toBeDefined();
  const before = await computeCodeDigest(root, movedProfile);
  const unrelatedFiles = [
    'profiles/other.json',
    `plugins/${disabledPlugin}/web/added.ts`,
    'plugins/vr/testing/web.ts',
    'core/common/a.test.ts',
  ];
  for (const file of [...unrelatedFiles, 'cli/commands/added.ts']) await addFile(file);
  expect(await computeCodeDigest(root, movedProfile)).toBe(before);
  expect(await computeCodeDigest(root, { ...movedProfile, settings: { ...movedProfile.settings, vr: {} } })).not.toBe(
    before,
  );
  for (const file of ['plugins/vr/web/added.ts', 'core/common/added.ts', 'cli/bundle/added.ts']) {
    const previous = await computeCodeDigest(root, movedProfile);
    await addFile(file);
    expect(await computeCodeDigest(root, movedProfile), file).not.toBe(previous);
  }
});

it('computes a source digest that depends on every file of the brand', () => {
  const buildBrand = (icon: string) => ({ themeCss: 'a {}', files: new Map([['favicon.svg', Buffer.from(icon)]]) });
  expect(computeSourceDigest('code', buildBrand('one'))).toBe(computeSourceDigest('code', buildBrand('one')));
  const otherDigests = [
    computeSourceDigest('code', buildBrand('two')),
    computeSourceDigest('other', buildBrand('one')),
    computeSourceDigest('code', { ...buildBrand('one'), themeCss: 'b {}' }),
  ];
  expect(new Set([computeSourceDigest('code', buildBrand('one')), ...otherDigests]).size).toBe(4);
});
