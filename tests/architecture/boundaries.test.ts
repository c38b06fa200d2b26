import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const project = process.cwd();
let folder: string;

/** Creates a small project with the real rules, in which the tests plant violations. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-boundaries-'));
  await Promise.all([
    cp(path.join(project, 'cli/lint'), path.join(folder, 'cli/lint'), { recursive: true }),
    cp(path.join(project, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json')),
  ]);
  await symlink(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  await writeSource('plugins/map/plugin.ts', `export default { id: 'map', requires: [], bridges: [] };`);
  await writeSource('plugins/map/contract/index.ts', `export const layers = 1;`);
  await writeSource('plugins/map/web/inner.ts', `export const inner = 1;`);
  await writeSource(
    'plugins/permits/plugin.ts',
    `export default { id: 'permits', requires: ['tour'], bridges: ['map'] };`,
  );
  await writeSource('plugins/permits/web/index.ts', `export const web = 1;`);
});
afterAll(() => rm(folder, { recursive: true }));

async function writeSource(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), `${text}\n`);
}

async function lintFile(file: string, text: string): Promise<string> {
  await writeSource(file, text);
  const { stdout } = await run(path.join(project, 'node_modules/.bin/oxlint'), ['--config', '.oxlintrc.json', file], {
    cwd: folder,
  }).catch((error: { stdout: string; stderr: string }) => error);
  await rm(path.join(folder, file));
  return stdout;
}

const violations: readonly (readonly [what: string, file: string, text: string, message: RegExp])[] = [
  [
    'a plugin that reaches into another',
    'plugins/permits/web/a.ts',
    `import { inner } from '../../map/web/inner.ts'; export const a = inner;`,
    /only by its contract/,
  ],
  [
    'a contract that the manifest does not list',
    'plugins/map/web/a.ts',
    `import { x } from '#plugins/permits'; export const a = x;`,
    /only if plugin\.ts lists it/,
  ],
  [
    'a partner imported outside of its bridge',
    'plugins/permits/web/a.ts',
    `import { layers } from '#plugins/map'; export const a = layers;`,
    /only from bridges\/map\.ts/,
  ],
  [
    'a kernel that imports a plugin',
    'core/web/a.ts',
    `import { layers } from '#plugins/map'; export const a = layers;`,
    /kernel knows no plugin/,
  ],
  [
    'core that reaches into a plugin',
    'core/web/a.ts',
    `import { inner } from '../../plugins/map/web/inner.ts'; export const a = inner;`,
    /only by its contract/,
  ],
  [
    'a Node module in the browser',
    'plugins/permits/web/a.ts',
    `import { readFileSync } from 'node:fs'; export const a = readFileSync;`,
    /has no Node/,
  ],
  [
    'a Node module in common code of core',
    'core/common/a.ts',
    `import { readFileSync } from 'node:fs'; export const a = readFileSync;`,
    /has no Node/,
  ],
  [
    'a server half in a web half',
    'plugins/permits/web/a.ts',
    `import { x } from '#core/server'; export const a = x;`,
    /'web' must not import 'core\/server'/,
  ],
  [
    'a manifest as a value in the browser',
    'plugins/permits/web/a.ts',
    `import manifest from '../plugin.ts'; export const a = manifest;`,
    /only types/,
  ],
  [
    'schemas as values in the browser',
    'plugins/permits/web/a.ts',
    `import { search } from '#plugins/permits/api'; export const a = search;`,
    /77 kB/,
  ],
  [
    'a test in a product',
    'plugins/permits/web/a.ts',
    `import { x } from '../../../tests/browser/browser.ts'; export const a = x;`,
    /'tests\/browser\/browser\.ts' belongs to no product/,
  ],
  [
    "another plugin's test kit in a product",
    'plugins/permits/web/a.ts',
    `import { kit } from '#plugins/tour/testing/web'; export const a = kit;`,
    /test kit/,
  ],
  [
    "a test that reaches into another plugin's files",
    'plugins/permits/web/a.test.ts',
    `import { inner } from '../../map/web/inner.ts'; export const a = inner;`,
    /by '#plugins\/map\/testing\/web'/,
  ],
  [
    'common code that imports a half',
    'plugins/permits/common/a.ts',
    `import { web } from '../web/index.ts'; export const a = web;`,
    /'common' must not import 'web'/,
  ],
  [
    'common code that needs Node',
    'plugins/permits/common/a.ts',
    `import path from 'node:path'; export const a = path.sep;`,
    /also runs in the browser/,
  ],
  [
    'a contract that imports common code',
    'plugins/permits/contract/a.ts',
    `import { rule } from '../common/rule.ts'; export const a = rule;`,
    /'contract' must not import 'common'/,
  ],
  [
    "a customer's file in every product",
    'core/web/a.ts',
    `import logo from '../../profiles/brands/halvorsen/logo.svg'; export const a = logo;`,
    /belongs to no product/,
  ],
  [
    'Fluent components that bypass the kits',
    'plugins/permits/web/a.ts',
    `import { Button } from '@fluentui/react-components'; export const a = Button;`,
    /Other imports of Fluent/,
  ],
];

describe('boundary rule', () => {
  it.each(violations)('reports %s', async (_what, file, text, message) => {
    expect(await lintFile(file, text)).toMatch(message);
  });

  it("reports an import() of another plugin's internals", async () => {
    expect(
      await lintFile('plugins/permits/web/a.ts', `export const a = () => import('../../map/web/inner.ts');`),
    ).toMatch(/only by its contract/);
  });

  it('allows bridges, types and imports within a plugin', async () => {
    expect(
      await lintFile(
        'plugins/permits/web/bridges/map.ts',
        `import { layers } from '#plugins/map'; export default [layers];`,
      ),
    ).not.toMatch(/walkdown\(/);
    expect(
      await lintFile('plugins/permits/web/a.ts', `import type { Layer } from '#plugins/map'; export type A = Layer;`),
    ).not.toMatch(/walkdown\(/);
    expect(
      await lintFile('plugins/permits/web/a.ts', `import { web } from './index.ts'; export const a = web;`),
    ).not.toMatch(/walkdown\(/);
  });
});
