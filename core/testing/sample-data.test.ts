import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sampleDataFolder } from './sample-data-folder.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The module with fake registration functions that record their calls. */
async function setup(folder: string) {
  vi.resetModules();
  vi.stubEnv('WALKDOWN_SAMPLE_DATA', folder);
  const registeredTests: string[] = [];
  const registrar = (kind: string) =>
    Object.assign((title: string) => void registeredTests.push(`${kind}: ${title}`), {
      skip: (title: string) => void registeredTests.push(`skipped ${kind}: ${title}`),
    });
  vi.doMock('vitest', () => ({ it: registrar('test'), describe: registrar('suite') }));
  return { registered: registeredTests, ...(await import('./sample-data.ts')) };
}
afterEach(() => {
  vi.doUnmock('vitest');
  vi.unstubAllEnvs();
});

describe('sample data', () => {
  it('reads the folder from WALKDOWN_SAMPLE_DATA, relative to the project', () => {
    expect(sampleDataFolder('/project', { WALKDOWN_SAMPLE_DATA: '/samples' })).toBe(path.resolve('/samples'));
    expect(sampleDataFolder('/project', { WALKDOWN_SAMPLE_DATA: 'samples' })).toBe(path.resolve('/project/samples'));
    expect(path.dirname(path.dirname(sampleDataFolder('/project', {})))).toBe(path.resolve('/'));
    expect(sampleDataFolder('/project', { WALKDOWN_SAMPLE_DATA: '' })).toBe(sampleDataFolder('/project', {}));
  });

  it('registers tests and suites with existing files under their own title', async () => {
    const { registered, samplePath, findSkipReason, itWithSampleData, describeWithSampleData } = await setup(root);
    expect(samplePath('core/testing/sample-data.ts')).toBe(path.join(root, 'core', 'testing', 'sample-data.ts'));
    expect(findSkipReason('core/testing', 'package.json')).toBeUndefined();
    itWithSampleData('reads it', ['package.json'], () => undefined);
    describeWithSampleData('with it', ['package.json'], () => undefined);
    expect(registered).toEqual(['test: reads it', 'suite: with it']);
  });

  it('skips tests and suites with a missing folder or file, and names it in the title', async () => {
    const absent = path.join(tmpdir(), 'walkdown-no-such-folder');
    const withoutFolder = await setup(absent);
    withoutFolder.itWithSampleData('reads it', ['a.las'], () => undefined);
    const withoutFile = await setup(root);
    withoutFile.itWithSampleData('reads both', ['package.json', 'a.las'], () => undefined);
    withoutFile.describeWithSampleData('with it', ['a.las'], () => undefined);
    expect(withoutFolder.registered).toEqual([
      `skipped test: reads it (not run: no sample data in ${absent}: set WALKDOWN_SAMPLE_DATA)`,
    ]);
    expect(withoutFile.registered).toEqual([
      'skipped test: reads both (not run: no a.las in the sample data)',
      'skipped suite: with it (not run: no a.las in the sample data)',
    ]);
  });

  it('names the default folder in only one file of the project', () => {
    const [name, parent] = ['data', 'shared'];
    const files = ['core', 'plugins', 'cli', 'tests', 'docs', 'profiles']
      .flatMap((top) =>
        readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' }).map((file) => path.join(top, file)),
      )
      .concat(readdirSync(root))
      .filter((file) => !file.includes('node_modules') && /\.(?:[cm]?[jt]sx?|json|md|html|css|svg)$/.test(file));
    const matches = files.filter((file) => readFileSync(path.join(root, file), 'utf8').includes(`${parent}/${name}`));
    expect(files.length).toBeGreaterThan(1000);
    expect(matches.map((file) => file.split(path.sep).join('/'))).toEqual(['core/testing/sample-data-folder.mjs']);
  });
});
