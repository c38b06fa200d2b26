import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildFixture, createGeneratedFolder } from './build-fixture.ts';

const run = promisify(execFile);
const project = path.resolve(import.meta.dirname, '..', '..');
let folder: string;

beforeAll(async () => {
  folder = await createGeneratedFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Copies the parts of the project from which a fixture is built. Packages are hard links, since symbolic links resolve
 * to the original path.
 */
async function copyProject(from: string, to: string): Promise<string> {
  await mkdir(path.join(to, 'plugins'), { recursive: true });
  for (const part of [
    'core',
    'profiles',
    'package.json',
    'package-lock.json',
    'cli/bundle',
    'cli/profile',
    'tests/builds/fixtures',
  ])
    await cp(path.join(from, part), path.join(to, part), { recursive: true });
  await run('cp', ['-al', path.join(from, 'node_modules'), path.join(to, 'node_modules')]);
  return to;
}

async function hashFiles(product: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(product, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const hashes = await Promise.all(
    files.map(
      async (file) =>
        [
          path.relative(product, file),
          createHash('sha256')
            .update(await readFile(file))
            .digest('hex'),
        ] as const,
    ),
  );
  return Object.fromEntries(hashes);
}

describe('reproducible builds', () => {
  it('have the same bytes in two folders and on two dates, including maps and compressed files', async () => {
    const fileHashes: Readonly<Record<string, string>>[] = [];
    const copy = await copyProject(project, path.join(folder, 'one'));
    const deeper = path.join(folder, 'deeper', 'in');
    await mkdir(deeper, { recursive: true });
    // The copy is moved for the second build, because it has tens of thousands of links to packages.
    for (const [root, date] of [
      [copy, '2026-01-01T00:00:00Z'],
      [path.join(deeper, 'another'), '2031-12-31T23:59:59Z'],
    ] as const) {
      if (root !== copy) await rename(copy, root);
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(date) });
      try {
        const { out, remove } = await buildFixture('fixture-both', {
          root,
          compress: true,
          entriesFolder: path.join(root, '.generated', 'fixture-both'),
        });
        fileHashes.push(await hashFiles(out));
        await remove();
        await rm(path.join(root, '.generated'), { recursive: true, force: true });
      } finally {
        vi.useRealTimers();
      }
    }
    expect(Object.keys(fileHashes[0] ?? {}).length).toBeGreaterThan(40);
    expect(fileHashes[1]).toEqual(fileHashes[0]);
  });
});
