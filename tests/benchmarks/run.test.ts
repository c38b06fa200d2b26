import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BenchReport } from './report.ts';

/** Sources of benchmark modules by name. */
const benches = {
  ends: 'export default () => process.exit(7);',
  fails: `export default async () => { throw new Error('There is no peer.\\n    at install'); };`,
  'is-broken': `export default async () => import('./absent.ts');`,
  'measures-nothing': 'export default async () => [];',
  'needs-no-browser': `export default async () =>
    [{ name: 'files', value: 4, unit: 'files', bar: 8, better: 'lower', holds: true, against: 'the peer' }];`,
  throws: `export default () => new Promise(() => setTimeout(() => { throw new Error('Lost in a callback.'); }));`,
};
const names = Object.keys(benches);
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'walkdown-benches-'));
  for (const [name, source] of Object.entries(benches)) writeFileSync(path.join(folder, `${name}.bench.ts`), source);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [path.join(import.meta.dirname, 'run.mjs'), '--from', folder, ...args], {
    encoding: 'utf8',
  });

it('reports the cause of each failed benchmark and runs the others', () => {
  const { status, stdout, stderr } = run('--json');
  const { results, failures, durations } = JSON.parse(stdout) as BenchReport;
  expect(results.map(({ bench, value }) => [bench, value])).toEqual([['needs-no-browser', 4]]);
  expect(failures).toEqual([
    { bench: 'ends', message: 'Its process ended with 7.' },
    { bench: 'fails', message: 'There is no peer.' },
    { bench: 'is-broken', message: expect.stringMatching(/^Build failed .*Could not resolve ".\/absent.ts"$/) },
    { bench: 'measures-nothing', message: 'It returned no results.' },
    { bench: 'throws', message: 'Lost in a callback.' },
  ]);
  expect(durations.map(({ bench }) => bench)).toEqual(names);
  for (const { bench, message } of failures)
    expect(stderr).toContain(`\nFAIL ${bench} could not measure: ${message}\n`);
  expect(status).toBe(1);
}, 120_000);

it('prints all durations and exits with 0 if no benchmark fails', () => {
  const { status, stdout } = run('--only', 'needs-no-browser');
  expect(stdout).toMatch(/^holds {2}files {2}4 files .*\n\nneeds-no-browser +\d+ s\nall +\d+ s\n$/);
  expect(status).toBe(0);
}, 120_000);

it('prints the failures after the results', () => {
  const { status, stdout } = run('--only', 'fails', '--only', 'needs-no-browser');
  expect(stdout).toMatch(/^holds {2}files .*\nFAILED {2}fails +There is no peer\.\n/);
  expect(status).toBe(1);
}, 120_000);

it('lists the available benchmarks if an unknown one is requested', () => {
  const { status, stderr } = run('--only', 'absent');
  expect(stderr).toContain(`There is no benchmark absent. Available benchmarks: ${names.join(', ')}.`);
  expect(status).toBe(2);
}, 120_000);
