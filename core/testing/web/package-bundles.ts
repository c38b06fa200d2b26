import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/** Packages of thousands of modules, by the names under which tests and tested code import them. */
const bundledPackages = [
  '@fluentui/react-components',
  '@tanstack/react-virtual',
  '@testing-library/dom',
  '@testing-library/react',
  '@testing-library/user-event',
  'axios',
  'inversify',
  'react-intl',
  'typebox',
  'typebox/value',
];
/** Packages that are not bundled, because all their importers must find the same instance. */
const externalPackages = ['react', 'react-dom', 'scheduler'];

/** Lets bundled CommonJS packages `require` built-in modules. */
const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

export interface PackageAlias {
  readonly find: RegExp;
  readonly replacement: string;
}

/**
 * Bundles packages into one file each, with shared parts in common files, and returns aliases for them. A test process
 * then loads a dozen modules instead of two thousand. Cached per state of the lock file.
 */
export async function buildPackageBundles(root: string): Promise<readonly PackageAlias[]> {
  const cache = path.join(root, 'node_modules', '.cache', 'walkdown');
  const lock = await readFile(path.join(root, 'package-lock.json'), 'utf8');
  const source = await readFile(import.meta.filename, 'utf8');
  const key = createHash('sha256').update(lock).update(source).digest('hex').slice(0, 16);
  const folder = path.join(cache, `packages-${key}`);
  if (!existsSync(folder)) {
    const temporaryFolder = path.join(cache, `packages-${key}.${process.pid}`);
    await mkdir(cache, { recursive: true });
    await bundleInto(root, temporaryFolder);
    // Another run may have finished first.
    await rename(temporaryFolder, folder).catch(() => rm(temporaryFolder, { recursive: true, force: true }));
  }
  return bundledPackages.map((name) => ({
    find: new RegExp(`^${name}$`),
    replacement: path.join(folder, toFileName(name)),
  }));
}

const toFileName = (name: string): string => `${name.replace('@', '').replaceAll('/', '-')}.mjs`;

async function bundleInto(root: string, outdir: string): Promise<void> {
  await build({
    entryPoints: bundledPackages.map((name) => ({ in: `entry:${name}`, out: toFileName(name).replace(/\.mjs$/, '') })),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minifyWhitespace: true,
    format: 'esm',
    // Not for a browser: Fluent checks for a test environment at run time.
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    external: externalPackages,
    banner: { js: banner },
    logLevel: 'silent',
    plugins: [
      {
        name: 'entries',
        setup: (bundler) => {
          bundler.onResolve({ filter: /^entry:/ }, ({ path: name }) => ({ path: name, namespace: 'entry' }));
          bundler.onLoad({ filter: /.*/, namespace: 'entry' }, ({ path: name }) => {
            const specifier = JSON.stringify(name.slice('entry:'.length));
            return {
              contents: `import * as all from ${specifier}; export * from ${specifier}; export default all.default;`,
              resolveDir: root,
            };
          });
        },
      },
    ],
  });
}
