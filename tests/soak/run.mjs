#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { say, setUp } from '../runner/setup.mjs';

/**
 * `npm run soak`: every test that repeats by `soakCount`, at its full count: kills, storms, broken uploads. Words after `--` choose among the files: `npm run soak -- kill`.
 * One file at a time, since each is meant to load the machine by itself.
 */
const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const { browser } = setUp(root);
const wanted = process.argv.slice(2);
const files = ['core', 'plugins', 'cli', 'tests']
  .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, name)))
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules') && /\bsoakCount\(/.test(readFileSync(path.join(root, file), 'utf8')))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  say(`No test that soaks ${wanted.length === 0 ? 'was found' : `has ${wanted.join(' or ')} in its path`}.`);
  process.exit(1);
}
say(`Soaking ${files.join(', ')}`);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--no-file-parallelism', '--reporter=verbose', ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, WALKDOWN_SOAK: '1', ...(browser ? { CHROME_PATH: browser } : {}) },
});
process.exit(status ?? 1);
