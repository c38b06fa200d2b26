import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../cli/cli-error.ts';
import { budgets, type Budgets } from '../../cli/bundle/budgets.ts';
import { buildFixture, createGeneratedFolder } from './build-fixture.ts';

async function buildOverBudget(changedBudgets: Partial<Budgets>) {
  const error: unknown = await buildFixture('fixture-alpha', { budgets: { ...budgets, ...changedBudgets } }).then(
    async ({ remove }) => {
      await remove();
      return undefined;
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof CliError)) throw new Error(`The budget was not enforced: ${String(error)}`);
  return error;
}

describe('an exceeded budget', () => {
  it('fails the build with exit code 5 and names the imports of the largest parts', async () => {
    const { exitCode, problems } = await buildOverBudget({ signIn: { gzip: 1024, files: 8 } });
    expect(exitCode).toBe(5);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.cause).toMatch(/^The sign-in page fetches too much: \d+\.\d KiB, allowed: 1\.0 KiB\.$/);
    const details = problems[0]?.details?.map((line) => line.trim()) ?? [];
    const heaviestIndex = details.findIndex((line) => line.endsWith(' KiB react-dom'));
    expect(details.slice(heaviestIndex + 1, heaviestIndex + 4)).toEqual([
      expect.stringMatching(/sign-in\.entry\.ts$/),
      'imports tests/builds/fixtures/app-shell/sign-in.tsx',
      expect.stringMatching(/^imports node_modules\/react-dom\//),
    ]);
  });

  it('names the plugin that exceeds the first download', async () => {
    const { problems } = await buildOverBudget({ plugin: { bytes: 100 } });
    expect(problems.map(({ cause }) => cause)).toEqual([
      expect.stringContaining("The plugin 'fixture-alpha' has too much in the first download"),
    ]);
    expect(problems[0]?.details?.join('\n')).toContain('fixture-alpha/web/index.ts');
  });

  it.each([
    ['too many files at login', { signIn: { gzip: 1e6, files: 0 } }, 'The sign-in page fetches too many files'],
    ['a shell that is too large', { shell: { gzip: 10 } }, 'The shell fetches too much after login'],
    ['too many files of a screen', { lazy: { files: 0 } }, "alpha-screen.tsx' fetches too many files"],
  ])('fails the build for %s', async (_, changedBudgets, sentence) => {
    const { problems } = await buildOverBudget(changedBudgets);
    expect(problems.map(({ cause }) => cause).join('\n')).toContain(sentence);
  });
});

/** Writes a plugin with one chunk that shares a module with each of five others. Returns its folder. */
async function writeCrowdedPlugin(bytesPerModule: number): Promise<string> {
  const folder = await createGeneratedFolder();
  const chunkNumbers = [1, 2, 3, 4, 5];
  const toSharedPath = (number: number) => `../common/shared-${number}.ts`;
  const files: Record<string, string> = {
    'plugin.ts':
      "import { Type } from 'typebox';\nimport { definePlugin } from '#core';\nexport default definePlugin({ id: " +
      "'crowded', title: 'crowded.title', base: true, settings: Type.Object({}), access: [], requires: [], bridges: " +
      '[] });\n',
    'contract/index.ts': 'export {};\n',
    'web/index.ts':
      `import { webPlugin } from '#core/web';\nconst parts = ` +
      `[${[0, ...chunkNumbers].map((number) => `() => import('./parts/part-${number}.ts')`).join()}];\nglobalThis.crowded = ` +
      `parts;\nexport default webPlugin()({});\n`,
    'web/parts/part-0.ts':
      `${chunkNumbers.map((number) => `import { shared as shared${number} } from ` + `'${toSharedPath(number)}';\n`).join('')}export ` +
      `default [${chunkNumbers.map((number) => `shared${number}`).join()}];\n`,
    ...Object.fromEntries(
      chunkNumbers.map((number) => [
        `web/parts/part-${number}.ts`,
        `export { shared as default } from '${toSharedPath(number)}';\n`,
      ]),
    ),
    ...Object.fromEntries(
      chunkNumbers.map((number) => [
        `web/common/shared-${number}.ts`,
        `export const shared = () => '${String(number).repeat(bytesPerModule)}';\n`,
      ]),
    ),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, 'crowded', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

describe('modules shared by several chunks of one plugin', () => {
  it('are joined in one file if they are small', async () => {
    const folder = await writeCrowdedPlugin(40);
    const request = { extraPluginFolders: [folder], entriesFolder: path.join(folder, 'entries') };
    const builtProduct = await buildFixture('fixture-none', request);
    const lazy = builtProduct.sizes.lazy.filter(({ source }) => source.includes('/crowded/'));
    expect(lazy.map(({ source, paths }) => [path.basename(source), paths.length])).toEqual(
      [0, 1, 2, 3, 4, 5].map((number) => [`part-${number}.ts`, 2]),
    );
    // The decision is cached, so that unchanged sources are bundled only once.
    const secondBuild = await buildFixture('fixture-none', request);
    expect(secondBuild.proof).toEqual(builtProduct.proof);
    await Promise.all([builtProduct.remove(), secondBuild.remove()]);
    await rm(folder, { recursive: true });
  });

  it('are counted as files if they are large, and reported by their sources', async () => {
    const folder = await writeCrowdedPlugin(17 * 1024);
    const error: unknown = await buildFixture('fixture-none', { extraPluginFolders: [folder] }).catch(
      (reason: unknown) => reason,
    );
    await rm(folder, { recursive: true });
    if (!(error instanceof CliError)) throw new Error(`The budget was not enforced: ${String(error)}`);
    expect(error.problems.map(({ cause }) => cause)).toEqual([
      expect.stringMatching(/crowded\/web\/parts\/part-0\.ts' fetches too many files: 6, allowed: 4/),
    ]);
    expect(error.problems[0]?.details).toEqual(
      expect.arrayContaining([expect.stringMatching(/^17\.\d KiB .*crowded\/web\/common\/shared-3\.ts$/)]),
    );
  });
});
