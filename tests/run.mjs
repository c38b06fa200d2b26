#!/usr/bin/env node
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { listChangedFiles, parseChangedOption } from './runner/changed.mjs';
import { runChangedChecks, runChecks } from './runner/checks.mjs';
import { prepareDemo } from './runner/demo.mjs';
import { createGoSettings } from './runner/go-settings.mjs';
import { runOnOtherNode } from './runner/node-version.mjs';
import {
  addExitFailure,
  findSlowestFiles,
  readPlaywrightResults,
  readUnhandledErrors,
  readVitestResults,
} from './runner/results.mjs';
import { say, setUp } from './runner/setup.mjs';
import { createTemporaryFolder } from './runner/temporary.mjs';
import { unhandledErrorsVariable } from './runner/unhandled-errors.mjs';

/**
 * `npm test` installs missing requirements and runs checks, unit and server tests, builds and journeys. It writes
 * `test-results/report.json` for `npm run conformance`. `--changed [ref]` tests only changes since a commit (by default
 * the last one), without journeys and without a report. `--node 24` uses this version of Node.
 */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const reports = path.join(root, 'test-results');
const startTime = Date.now();
const formatElapsed = () => `${((Date.now() - startTime) / 1000).toFixed(0)} s`;

const exitCode = runOnOtherNode(fileURLToPath(import.meta.url), process.argv.slice(2), root, say);
if (exitCode !== undefined) process.exit(exitCode);

const ref = parseChangedOption(process.argv.slice(2));
const changedFiles = ref === undefined ? undefined : changedOrExit(ref);

const { browser } = setUp(root);
const folder = createTemporaryFolder();
const environment = { ...createGoSettings('1GiB'), TMPDIR: folder, TEMP: folder, TMP: folder };
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (changedFiles === undefined) await runAll();
else await runChanged(ref, changedFiles);

async function runAll() {
  const demo = prepareDemo(root, folder, environment);
  say(`Checks (${formatElapsed()})`);
  const checks = printChecks(await runChecks(root));
  say(`Unit, server and build tests (${formatElapsed()})`);
  const tests = await runVitest([]);
  say(`Journeys in a browser (${formatElapsed()})`);
  const journeys = await runPlaywright(await demo);
  const results = [...checks, ...tests, ...journeys];
  writeFileSync(path.join(reports, 'report.json'), JSON.stringify({ commit: readHead(root), results }, null, 1));
  say('The slowest files:');
  for (const { file, seconds } of findSlowestFiles(results, 10)) say(`${seconds.toFixed(0).padStart(6)} s ${file}`);
  printSummary(results);
}

function changedOrExit(from) {
  try {
    return listChangedFiles(root, from);
  } catch (error) {
    say(error.message);
    process.exit(2);
  }
}

async function runChanged(from, files) {
  say(`Checks of ${files.length} changed files (${formatElapsed()})`);
  const checks = printChecks(await runChangedChecks(root, files));
  say(`Tests that import a changed file (${formatElapsed()})`);
  const tests = await runVitest(['--changed', from, '--passWithNoTests', '--exclude', 'tests/builds/**']);
  say('Builds and journeys were not run: "npm test" runs all.');
  printSummary([...checks, ...tests]);
}

/** Runs a script of a package. Resolves to its exit code or the signal that ended it. Forwards signals. */
function run(script, args, env = {}) {
  const chrome = browser ? { CHROME_PATH: browser } : {};
  const child = spawn(process.execPath, [path.join(root, 'node_modules', ...script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment, ...chrome, ...env },
  });
  const killChild = () => child.kill('SIGTERM');
  process.once('exit', killChild);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => {
      process.off('exit', killChild);
      resolve(status ?? signal);
    });
  });
}

async function runVitest(args) {
  const file = path.join(reports, 'vitest.json');
  const errorsFile = path.join(reports, 'unhandled-errors.json');
  const reporters = ['default', 'json', path.join(root, 'tests', 'runner', 'unhandled-errors.mjs')];
  const exitStatus = await run(
    ['vitest', 'vitest.mjs'],
    ['run', ...reporters.map((reporter) => `--reporter=${reporter}`), `--outputFile.json=${file}`, ...args],
    { [unhandledErrorsVariable]: errorsFile },
  );
  const results = [...readVitestResults(file, root), ...readUnhandledErrors(errorsFile, root)];
  return addExitFailure('Vitest', exitStatus, results);
}

/** @param demo the prepared product and data of the demo */
async function runPlaywright(demo) {
  const file = path.join(reports, 'playwright.json');
  const config = path.join('tests', 'journeys', 'playwright.config.ts');
  const args = ['test', '--config', config, '--reporter=list,json'];
  const exitStatus = await run(['@playwright', 'test', 'cli.js'], args, {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
    ...(demo ? { JOURNEY_PRODUCT: demo.out, JOURNEY_DATA: demo.data } : {}),
  });
  return addExitFailure('Playwright', exitStatus, readPlaywrightResults(file, root));
}

function printChecks(checks) {
  for (const { title, state, message } of checks)
    say(`${state === 'passed' ? '  ok' : 'FAIL'} ${title}${message ? `\n${message}` : ''}`);
  return checks;
}

function printSummary(results) {
  const count = (state) => results.filter((result) => result.state === state).length;
  for (const { title, file, message = '' } of results.filter(({ state }) => state === 'failed'))
    say(`FAIL ${file} ${title}\n${shorten(message)}`);
  if (count('skipped') > 0) say(`${count('skipped')} skipped`);
  say(`Took ${formatElapsed()} on Node ${process.versions.node}`);
  say(`${count('passed')} passed, ${count('failed')} failed`);
  process.exitCode = count('failed') === 0 && count('passed') > 0 ? 0 : 1;
}

/** Returns the first lines of a message, indented: the complete one is printed where its test ran. */
function shorten(message) {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, 12);
  return lines.map((line) => `     ${line}`).join('\n');
}

function readHead(directory) {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: directory, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
