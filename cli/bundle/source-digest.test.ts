import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadPlugins } from '../profile/load-plugins.ts';
import { resolveProfile } from '../profile/resolve-profile.ts';
import { projectRoot } from '../project-root.ts';
import { codeDigest, sourceDigest } from './source-digest.ts';

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

const put = async (file: string) => {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), 'export const added = 1;\n');
};

it("depends on the product's own sources, not on other profiles, disabled plugins, tests and tools", async () => {
  const plugins = await loadPlugins(projectRoot);
  const resolved = await resolveProfile(projectRoot, 'profile-c', plugins);
  const moved = {
    ...resolved,
    plugins: new Map(
      [...resolved.plugins].map(([id, plugin]) => [
        id,
        { ...plugin, folder: path.join(root, path.relative(projectRoot, plugin.folder)) },
      ]),
    ),
  };
  const [off] = moved.disabled;
  expect(off).toBeDefined();
  const before = await codeDigest(root, moved);
  const others = [
    'profiles/other.json',
    `plugins/${off}/web/added.ts`,
    'plugins/vr/testing/web.ts',
    'core/common/a.test.ts',
  ];
  for (const file of [...others, 'cli/commands/added.ts']) await put(file);
  expect(await codeDigest(root, moved)).toBe(before);
  expect(await codeDigest(root, { ...moved, settings: { ...moved.settings, vr: {} } })).not.toBe(before);
  for (const file of ['plugins/vr/web/added.ts', 'core/common/added.ts', 'cli/bundle/added.ts']) {
    const last = await codeDigest(root, moved);
    await put(file);
    expect(await codeDigest(root, moved), file).not.toBe(last);
  }
});

it('depends on every file of the brand', () => {
  const brand = (icon: string) => ({ themeCss: 'a {}', files: new Map([['favicon.svg', Buffer.from(icon)]]) });
  expect(sourceDigest('code', brand('one'))).toBe(sourceDigest('code', brand('one')));
  const others = [
    sourceDigest('code', brand('two')),
    sourceDigest('other', brand('one')),
    sourceDigest('code', { ...brand('one'), themeCss: 'b {}' }),
  ];
  expect(new Set([sourceDigest('code', brand('one')), ...others]).size).toBe(4);
});
