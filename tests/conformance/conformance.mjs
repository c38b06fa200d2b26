#!/usr/bin/env node
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatRow, parseRows, computeRowStates } from './rows.mjs';

/**
 * `npm run conformance` lists the rows of docs/requirements.md without a passing test, with their open parts. It reads
 * the test report of this commit, or runs all tests if there is no such report. `--json` prints all rows and parts.
 */
const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const { json: asJson } = parseArgs({ options: { json: { type: 'boolean', default: false } } }).values;
const reportFile = path.join(root, 'test-results', 'report.json');

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
if (readReport()?.commit !== commit) {
  const { status } = spawnSync(process.execPath, [path.join(root, 'tests', 'run.mjs')], {
    cwd: root,
    stdio: ['ignore', asJson ? 2 : 'inherit', 'inherit'],
  });
  if (readReport() === undefined) throw new Error(`The tests ended with ${status} and wrote no report.`);
}
const { rows, unknown } = computeRowStates(
  parseRows(readFileSync(path.join(root, 'docs', 'requirements.md'), 'utf8')),
  readReport().results,
);

if (asJson) {
  process.stdout.write(`${JSON.stringify({ rows }, null, 2)}\n`);
} else {
  const openRows = rows.filter(({ state }) => state !== 'passed');
  for (const row of openRows) process.stdout.write(`${formatRow(row)}\n`);
  process.stdout.write(`${rows.length - openRows.length} of ${rows.length} rows have a passing test\n`);
}
if (unknown.length > 0)
  process.stderr.write(`These ids in test titles belong to no row or part: ${unknown.join(', ')}\n`);
process.exitCode = rows.some(({ state }) => state === 'failed') || unknown.length > 0 ? 1 : 0;

function readReport() {
  return existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
}
