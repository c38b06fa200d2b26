#!/usr/bin/env node
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChecks } from './runner/checks.mjs';
import { runOnOtherNode } from './runner/node-version.mjs';
import { playwrightResults, vitestResults } from './runner/results.mjs';
import { say, setUp } from './runner/setup.mjs';

/**
 * `npm test`: sets up what is missing, then checks, unit and server tests, builds, journeys. The last line is `N
 * passed, N failed`. The report of all tests is left in `test-results/report.json`, from which `npm run conformance`
 * reads. `npm test -- --node 24` runs all of it on that version of Node.
 */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const reports = path.join(root, 'test-results');
const started = Date.now();
const since = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;

const exitCode = runOnOtherNode(fileURLToPath(import.meta.url), process.argv.slice(2), root, say);
if (exitCode !== undefined) process.exit(exitCode);

const { browser } = setUp(root);
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const bin = (name) => path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
const run = (name, words, env = {}) =>
  spawnSync(bin(name), words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(browser ? { CHROME_PATH: browser } : {}), ...env },
  });

say(`Checks (${since()})`);
const checks = runChecks(root);
for (const { title, state, message } of checks)
  say(`${state === 'passed' ? '  ok' : 'FAIL'} ${title}${message ? `\n${message}` : ''}`);

say(`Unit, server and build tests (${since()})`);
const vitestReport = path.join(reports, 'vitest.json');
run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]);

const journeys = [];
if (existsSync(path.join(root, 'tests', 'journeys', 'playwright.config.ts'))) {
  say(`Journeys in a browser (${since()})`);
  const playwrightReport = path.join(reports, 'playwright.json');
  run('playwright', ['test', '--config', 'tests/journeys/playwright.config.ts', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
  });
  journeys.push(...playwrightResults(playwrightReport, root));
}

const results = [...checks, ...vitestResults(vitestReport, root), ...journeys];
const count = (state) => results.filter((result) => result.state === state).length;
writeFileSync(path.join(reports, 'report.json'), JSON.stringify({ commit: commitOf(root), results }, null, 1));
for (const { title, file } of results.filter(({ state }) => state === 'failed')) say(`FAIL ${file} ${title}`);
if (count('skipped') > 0) say(`${count('skipped')} skipped`);
say(`Took ${since()} on Node ${process.versions.node}`);
say(`${count('passed')} passed, ${count('failed')} failed`);
process.exitCode = count('failed') === 0 && count('passed') > 0 ? 0 : 1;

function commitOf(folder) {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
