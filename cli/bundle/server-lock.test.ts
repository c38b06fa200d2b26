import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../project-root.ts';
import { findReachablePackages, readLockedPackages, type LockedPackage } from './locked-packages.ts';
import { createServerLock } from './server-lock.ts';

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage & { readonly optional?: boolean; readonly peer?: boolean }>>;
}

interface LockEntry {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** npm omits the origin of a package if it is the registry. */
const registry = 'https://registry.npmjs.org/';

const buildManifest = (dependencies: Readonly<Record<string, string>>) => ({
  name: 'walkdown-test',
  version: '1.0.0',
  engines: {},
  dependencies,
});

describe("the lock file of a product's server", () => {
  const lockedPackages = readLockedPackages(projectRoot);
  const lock = createServerLock(
    projectRoot,
    buildManifest({ sharp: lockedPackages.get('node_modules/sharp')?.version ?? '' }),
  ) as Lock;

  it("has the versions and integrity hashes of the project's lock file, only for packages of the server", () => {
    const packagePaths = Object.keys(lock.packages).filter((packagePath) => packagePath !== '');
    expect(packagePaths).toEqual(expect.arrayContaining(['node_modules/sharp', 'node_modules/detect-libc']));
    for (const packagePath of packagePaths)
      expect(lock.packages[packagePath]).toMatchObject({
        version: lockedPackages.get(packagePath)?.version,
        integrity: expect.stringMatching(/^sha512-/) as string,
      });
    expect(packagePaths.length).toBeLessThan(60);
    expect(packagePaths).not.toContain('node_modules/react');
  });

  it('has the native packages of every platform, each as optional', () => {
    for (const part of ['sharp-linux-x64', 'sharp-linuxmusl-arm64', 'sharp-darwin-arm64', 'sharp-win32-x64'])
      expect(lock.packages[`node_modules/@img/${part}`]).toMatchObject({ optional: true });
    expect(lock.packages['node_modules/detect-libc']?.optional).toBeUndefined();
  });
});

describe("the project's lock file", () => {
  it('has every package from the registry, with its SHA-512', async () => {
    const text = await readFile(path.join(projectRoot, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockEntry>> };
    const packagePaths = Object.entries(packages).filter(([packagePath]) => packagePath !== '');
    expect(packagePaths.length).toBeGreaterThan(100);
    for (const [packagePath, { integrity, link, resolved }] of packagePaths)
      expect([packagePath, integrity, link ?? false, resolved ?? registry]).toEqual([
        packagePath,
        expect.stringMatching(/^sha512-[\w+/]{86}==$/),
        false,
        expect.stringMatching(/^https:\/\/registry\.npmjs\.org\//),
      ]);
    const { dependencies = {}, devDependencies = {} } = packages[''] ?? {};
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^(npm:[\w@./-]+@)?\d+\.\d+\.\d/);
  });
});

describe('findReachablePackages', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'walkdown-lock-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const findReachable = async (
    packages: Readonly<Record<string, object>>,
    isUsable?: (found: LockedPackage) => boolean,
  ) => {
    const lockEntries = Object.entries(packages).map(([packagePath, found]) => [
      packagePath,
      { version: '1.0.0', ...found },
    ]);
    await writeFile(
      path.join(root, 'package-lock.json'),
      JSON.stringify({ packages: Object.fromEntries(lockEntries) }),
    );
    return Object.fromEntries(findReachablePackages(readLockedPackages(root), ['a'], isUsable));
  };
  const requiredDependency = { required: true, asDependency: true };

  it('looks for a package next to its dependent first, as Node does', async () => {
    const packages = {
      'node_modules/a': { dependencies: { b: '1', '@x/c': '1' } },
      'node_modules/a/node_modules/b': { dependencies: { '@x/c': '1' } },
      'node_modules/b': {},
      'node_modules/@x/c': { dependencies: { a: '1' } },
    };
    expect(await findReachable(packages)).toEqual({
      'node_modules/@x/c': requiredDependency,
      'node_modules/a': requiredDependency,
      'node_modules/a/node_modules/b': requiredDependency,
    });
  });

  it('counts a package as required if one path to it is not optional', async () => {
    const packages = {
      'node_modules/a': { dependencies: { b: '1' }, optionalDependencies: { c: '1', absent: '1' } },
      'node_modules/b': { peerDependencies: { d: '1', e: '1' }, peerDependenciesMeta: { e: { optional: true } } },
      'node_modules/c': { dependencies: { b: '1', f: '1' } },
      'node_modules/d': {},
      'node_modules/e': {},
      'node_modules/f': {},
    };
    expect(await findReachable(packages)).toEqual({
      'node_modules/a': requiredDependency,
      'node_modules/b': requiredDependency,
      'node_modules/c': { required: false, asDependency: true },
      'node_modules/d': { required: true, asDependency: false },
      'node_modules/f': { required: false, asDependency: true },
    });
    const withoutC = await findReachable(
      { ...packages, 'node_modules/c': { os: ['win32'] } },
      ({ os }) => os === undefined,
    );
    expect(Object.keys(withoutC)).toEqual(['node_modules/a', 'node_modules/b', 'node_modules/d']);
  });

  it('refuses a package that the lock file does not list', async () => {
    await expect(findReachable({ 'node_modules/a': { dependencies: { b: '1' } } })).rejects.toThrow(
      "package-lock.json does not list 'b', which node_modules/a needs.",
    );
  });
});
