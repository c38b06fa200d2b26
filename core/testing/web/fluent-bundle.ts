import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles Fluent's components into one file, instead of two thousand that every test file would load, and returns its
 * path. React and Griffel stay external to remain singletons. The bundle is cached per version.
 */
export async function buildFluentBundle(root: string): Promise<string> {
  const packages = path.join(root, 'node_modules');
  const { version }: { readonly version: string } = JSON.parse(
    await readFile(path.join(packages, '@fluentui/react-components/package.json'), 'utf8'),
  );
  const cache = path.join(packages, '.cache', 'walkdown');
  const bundle = path.join(cache, `fluent-${version}.mjs`);
  if (existsSync(bundle)) return bundle;
  const unfinished = path.join(cache, `fluent-${process.pid}.mjs`);
  await mkdir(cache, { recursive: true });
  await build({
    stdin: { contents: "export * from '@fluentui/react-components';", resolveDir: root },
    outfile: unfinished,
    bundle: true,
    format: 'esm',
    // Not for a browser: Fluent checks for a test environment at run time.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'node20',
    logLevel: 'silent',
    plugins: [
      {
        name: 'fluent-alone',
        setup: (each) =>
          each.onResolve({ filter: /^[^./]/ }, ({ path: name }) =>
            name.startsWith('@fluentui/') ? undefined : { external: true },
          ),
      },
    ],
  });
  await rename(unfinished, bundle).catch(() => rm(unfinished, { force: true }));
  return bundle;
}
