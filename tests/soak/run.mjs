#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { say, setUp } from '../runner/setup.mjs';

/**
 * `npm run soak` runs every test that uses `soakCount` with its full count. It also walks through the demo's tour for
 * half an hour (two minutes with `--quick`) and searches for leaks. Arguments after `--` select files: `npm run soak --
 * kill`. Files run one at a time, since each loads the machine fully.
 */
const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const { browser } = setUp(root);
const { positionals: filters, values } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const minutes = values.quick ? 2 : 30;
const leakTest = path.join('tests', 'journeys', 'leaks.spec.ts');
const isSelected = (file) => filters.length === 0 || filters.some((word) => file.includes(word));
const files = ['core', 'plugins', 'cli', 'tests']
  .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, name)))
  .filter(
    (file) =>
      /\.test\.tsx?$/.test(file) &&
      !file.includes('node_modules') &&
      /\bsoakCount\(/.test(readFileSync(path.join(root, file), 'utf8')),
  )
  .filter(isSelected)
  .sort();
const runsLeakTest = browser !== undefined && isSelected(leakTest);
if (files.length === 0 && !runsLeakTest) {
  say(`No test that soaks ${filters.length === 0 ? 'was found' : `has ${filters.join(' or ')} in its path`}.`);
  process.exit(1);
}
say(`Soaking ${[...files, ...(runsLeakTest ? [`${leakTest} (${minutes} minutes)`] : [])].join(', ')}`);
const env = {
  ...process.env,
  WALKDOWN_SOAK: '1',
  WALKDOWN_WALK_MINUTES: String(minutes),
  ...(browser ? { CHROME_PATH: browser } : {}),
};
const run = (program, args) =>
  spawnSync(process.execPath, [path.join(root, 'node_modules', ...program), ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
  }).status ?? 1;
const results = [
  ...(files.length > 0
    ? [run(['vitest', 'vitest.mjs'], ['run', '--no-file-parallelism', '--reporter=verbose', ...files])]
    : []),
  ...(runsLeakTest
    ? [
        run(
          ['@playwright', 'test', 'cli.js'],
          ['test', '--config', 'tests/journeys/playwright.config.ts', '--reporter=list', 'leaks'],
        ),
      ]
    : []),
];
process.exit(results.find((status) => status !== 0) ?? 0);
