#!/usr/bin/env node
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles, changedRef } from './runner/changed.mjs';
import { runChangedChecks, runChecks } from './runner/checks.mjs';
import { runOnOtherNode } from './runner/node-version.mjs';
import { playwrightResults, slowestFiles, vitestResults, withEnd } from './runner/results.mjs';
import { say, setUp } from './runner/setup.mjs';
import { temporaryFolder } from './runner/temporary.mjs';

/**
 * `npm test`: sets up what is missing, then checks, unit and server tests, builds, journeys. The last line is `N
 * passed, N failed`. The report of all tests is left in `test-results/report.json`, from which `npm run conformance`
 * reads. `npm test -- --changed [ref]` checks and tests only what was changed since a commit (default: the last one),
 * without journeys, and leaves no report. `npm test -- --node 24` runs all of it on that version of Node.
 */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const reports = path.join(root, 'test-results');
const started = Date.now();
const since = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;

const exitCode = runOnOtherNode(fileURLToPath(import.meta.url), process.argv.slice(2), root, say);
if (exitCode !== undefined) process.exit(exitCode);

const ref = changedRef(process.argv.slice(2));
const changed = ref === undefined ? undefined : changedOrExit(ref);

const { browser } = setUp(root);
const temporary = { TMPDIR: temporaryFolder() };
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (changed === undefined) await runAll();
else await runChanged(ref, changed);

async function runAll() {
  say(`Checks (${since()})`);
  const checks = report(await runChecks(root));
  say(`Unit, server and build tests (${since()})`);
  const tests = vitest([]);
  say(`Journeys in a browser (${since()})`);
  const journeys = playwright();
  const results = [...checks, ...tests, ...journeys];
  writeFileSync(path.join(reports, 'report.json'), JSON.stringify({ commit: headOf(root), results }, null, 1));
  say('The slowest files:');
  for (const { file, seconds } of slowestFiles(results, 10)) say(`${seconds.toFixed(0).padStart(6)} s ${file}`);
  finish(results);
}

function changedOrExit(from) {
  try {
    return changedFiles(root, from);
  } catch (error) {
    say(error.message);
    process.exit(2);
  }
}

async function runChanged(from, files) {
  say(`Checks of ${files.length} changed files (${since()})`);
  const checks = report(await runChangedChecks(root, files));
  say(`Tests that import a changed file (${since()})`);
  const tests = vitest(['--changed', from, '--passWithNoTests', '--exclude', 'tests/builds/**']);
  say('Builds and journeys were not run: "npm test" runs all.');
  finish([...checks, ...tests]);
}

function run(name, words, env = {}) {
  const command = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
  const chrome = browser ? { CHROME_PATH: browser } : {};
  const all = { ...process.env, ...temporary, ...chrome, ...env };
  return spawnSync(command, words, { cwd: root, stdio: 'inherit', env: all }).status;
}

function vitest(words) {
  const file = path.join(reports, 'vitest.json');
  const ended = run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...words]);
  return withEnd('Vitest', ended, vitestResults(file, root));
}

function playwright() {
  const file = path.join(reports, 'playwright.json');
  const config = path.join('tests', 'journeys', 'playwright.config.ts');
  const words = ['test', '--config', config, '--reporter=list,json'];
  const ended = run('playwright', words, { PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  return withEnd('Playwright', ended, playwrightResults(file, root));
}

function report(checks) {
  for (const { title, state, message } of checks)
    say(`${state === 'passed' ? '  ok' : 'FAIL'} ${title}${message ? `\n${message}` : ''}`);
  return checks;
}

function finish(results) {
  const count = (state) => results.filter((result) => result.state === state).length;
  for (const { title, file } of results.filter(({ state }) => state === 'failed')) say(`FAIL ${file} ${title}`);
  if (count('skipped') > 0) say(`${count('skipped')} skipped`);
  say(`Took ${since()} on Node ${process.versions.node}`);
  say(`${count('passed')} passed, ${count('failed')} failed`);
  process.exitCode = count('failed') === 0 && count('passed') > 0 ? 0 : 1;
}

function headOf(folder) {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
