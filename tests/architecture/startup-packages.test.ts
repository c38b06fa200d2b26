import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');

/** Packages that few requests or installations need. Loading them must not delay the start of a server. */
const loadedOnDemand = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'];

it('does not load rarely used packages when a server starts', async () => {
  const files = await readdir(path.join(root, 'plugins'), { recursive: true });
  const entries = files
    .filter((file) => /^[^/]+\/server\/(index|bridges\/[^/.]+)\.ts$/.test(file.split(path.sep).join('/')))
    .map((file, index) => `export { default as entry${index} } from './plugins/${file}';`);
  const { metafile } = await build({
    stdin: {
      contents: [`export * from './core/server/index.ts';`, ...entries].join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const listPaths = (kind: string) =>
    new Set(imports.flatMap((imported) => (imported.kind === kind ? [imported.path] : [])));
  const atStart = listPaths('import-statement');
  const onDemand = listPaths('dynamic-import');
  expect(entries.length).toBeGreaterThan(5);
  expect(loadedOnDemand.filter((name) => atStart.has(name))).toEqual([]);
  expect(loadedOnDemand.filter((name) => !onDemand.has(name))).toEqual([]);
});
