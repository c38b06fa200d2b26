import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliError } from '../cli-error.ts';
import { writePlugin } from '../commands/new-plugin.ts';
import { loadPlugins } from './load-plugins.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-plugins-'));
});
afterEach(() => rm(folder, { recursive: true }));

it.each(['core', 'public', 'information-schema', 'pg-catalog'])(
  'refuses a plugin with the reserved id %s',
  async (id) => {
    await mkdir(path.join(folder, id));
    await writeFile(path.join(folder, id, 'plugin.ts'), `export default { id: '${id}', bridges: [] };`);
    const loadError: unknown = await loadPlugins(process.cwd(), [folder]).catch((error: unknown) => error);
    if (!(loadError instanceof CliError)) throw new Error('It was not refused.');
    expect(loadError.problems[0]).toMatchObject({
      cause: expect.stringContaining(`'${id}' is reserved`) as string,
      remedy: 'Rename the folder and the id.',
    });
    await expect(writePlugin(id, path.join(folder, 'new'))).rejects.toThrow(/is reserved.*Choose another id/);
  },
);

it('accepts a plugin whose id only begins like a reserved one', async () => {
  await mkdir(path.join(folder, 'core-samples'));
  await writeFile(
    path.join(folder, 'core-samples', 'plugin.ts'),
    "export default { id: 'core-samples', bridges: [] };",
  );
  expect([...(await loadPlugins(process.cwd(), [folder])).keys()]).toEqual(['core-samples']);
});
