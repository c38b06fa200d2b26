import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatRow, parseRows, computeRowStates, type State } from './rows.mjs';

const buildTable = (...rows: string[]) => ['| ID | Requirement | Owner |', '|---|---|---|', ...rows].join('\n');
const requirements = buildTable(
  '| PRO-01 | A title | cli |',
  '| RTE-08 | Screens `home`, `unit` and `pid-viewer` **Parts:** home, unit, pid-viewer | core |',
);
const buildResult = (title: string, state: State = 'passed') => ({ title, state });
const computeRow = (...results: ReturnType<typeof buildResult>[]) =>
  computeRowStates(parseRows(requirements), results).rows[1];

describe('conformance', () => {
  it('parses every row of the requirements once', () => {
    const ids = parseRows(readFileSync('docs/requirements.md', 'utf8')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['PRO-01', 'SES-17', 'TOUR-20', 'ERR-03', 'SEC-07', 'DAT-09']));
  });

  it('parses the parts of all rows with parts', () => {
    const markdown = readFileSync('docs/requirements.md', 'utf8');
    const rows = parseRows(markdown).filter(({ parts }) => parts.length > 0);
    expect(rows).toHaveLength(markdown.match(/^\|.*Parts:/gm)?.length ?? 0);
    expect(rows.find(({ id }) => id === 'ADM-15')).toEqual({ id: 'ADM-15', parts: ['tours', 'pid-map'] });
    expect(rows.find(({ id }) => id === 'RTE-08')?.parts).toContain('pid-viewer');
  });

  it('prefers a failed test to a passed one, and reports a row without tests as missing', () => {
    const results = [
      { title: 'a [PRO-01] [PRO-02] works', state: 'passed' },
      { title: '[PRO-02] breaks', state: 'failed' },
      { title: '[PRO-03] cannot run', state: 'skipped' },
      { title: '[XYZ-99] is invented', state: 'passed' },
    ];
    const rows = ['PRO-01', 'PRO-02', 'PRO-03', 'PRO-04'].map((id) => ({ id, parts: [] }));
    expect(computeRowStates(rows, results)).toEqual({
      rows: [
        { id: 'PRO-01', state: 'passed', parts: [] },
        { id: 'PRO-02', state: 'failed', parts: [] },
        { id: 'PRO-03', state: 'skipped', parts: [] },
        { id: 'PRO-04', state: 'missing', parts: [] },
      ],
      unknown: ['XYZ-99'],
    });
  });

  it('refuses a list without rows', () => {
    expect(() => parseRows('# Nothing')).toThrow(/no requirement/);
  });

  it.each([
    '| RTE-08 | Screens **Parts:** | core |',
    '| RTE-08 | Screens **Parts:** home, home | core |',
    '| RTE-08 | Screens **Parts:** home,, unit | core |',
    '| RTE-08 | Screens **Parts:** `home`, `unit` | core |',
    '| RTE-08 | Screens **Parts:** home, unit. And more | core |',
    '| RTE-08 | Screens Parts: home, unit | core |',
    '| RTE-08 | Screens **Parts**: home, unit | core |',
    '| RTE-08 | Screens **parts:** home, unit | core |',
  ])('refuses parts that cannot be read: %s', (row) => {
    expect(() => parseRows(buildTable(row))).toThrow(/The parts of RTE-08 cannot be read/);
  });
});

describe('rows with parts', () => {
  it('are missing while a part lacks a test', () => {
    const row = computeRow(buildResult('[RTE-08:home] [RTE-08:unit] opens'));
    expect(row).toEqual({
      id: 'RTE-08',
      state: 'missing',
      parts: [
        { id: 'home', state: 'passed' },
        { id: 'unit', state: 'passed' },
        { id: 'pid-viewer', state: 'missing' },
      ],
    });
    expect(formatRow(row!)).toBe('RTE-08 missing: pid-viewer');
  });

  it('pass if each part has a passing test', () => {
    const row = computeRow(buildResult('[RTE-08:home] opens'), buildResult('[RTE-08:unit] [RTE-08:pid-viewer] open'));
    expect(row?.state).toBe('passed');
  });

  it('do not pass by a title with the row id alone', () => {
    const row = computeRow(buildResult('[RTE-08] opens all screens'));
    expect(row?.parts.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);
    expect(formatRow(row!)).toBe('RTE-08 missing: home, unit, pid-viewer');
  });

  it('fail if one part fails', () => {
    const row = computeRow(buildResult('[RTE-08:home] opens'), buildResult('[RTE-08:unit] opens', 'failed'));
    expect(row?.state).toBe('failed');
    expect(formatRow(row!)).toBe('RTE-08 failed: unit; missing: pid-viewer');
  });

  it('fail if a test with the row id alone fails', () => {
    const row = computeRow(
      buildResult('[RTE-08:home] [RTE-08:unit] [RTE-08:pid-viewer] open'),
      buildResult('[RTE-08] opens', 'failed'),
    );
    expect(row?.state).toBe('failed');
    expect(formatRow(row!)).toBe('RTE-08 failed');
  });

  it('are skipped if a part is skipped and none is missing', () => {
    const row = computeRow(
      buildResult('[RTE-08:home] [RTE-08:unit] open'),
      buildResult('[RTE-08:pid-viewer] opens', 'skipped'),
    );
    expect(row?.state).toBe('skipped');
    expect(formatRow(row!)).toBe('RTE-08 skipped: pid-viewer');
  });

  it.each(['RTE-08:dashboard', 'PRO-01:title', 'RTE-08:', 'RTE-08: home', 'RTE-081'])(
    'report the unknown part in a title: %s',
    (key) => {
      expect(computeRowStates(parseRows(requirements), [buildResult(`[${key}] works`)]).unknown).toEqual([key]);
    },
  );
});

describe('the conformance command', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'conformance-'));
  const command = path.join(root, 'tests', 'conformance', 'conformance.mjs');
  const commit = 'a'.repeat(40);
  // In hooks Git sets these variables, which name another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  beforeAll(() => {
    for (const folder of ['docs', 'test-results']) mkdirSync(path.join(root, folder));
    cpSync(import.meta.dirname, path.dirname(command), { recursive: true });
    writeFileSync(path.join(root, 'docs', 'requirements.md'), requirements);
    execFileSync('git', ['init', '--quiet'], { cwd: root, env });
    writeFileSync(path.join(root, '.git', 'HEAD'), `${commit}\n`);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  /** Runs the command in a project with two rows and this test report. */
  function run(results: readonly ReturnType<typeof buildResult>[], ...args: string[]) {
    writeFileSync(path.join(root, 'test-results', 'report.json'), JSON.stringify({ commit, results }));
    return spawnSync(process.execPath, [command, ...args], { encoding: 'utf8', env });
  }
  const passedResults = [buildResult('[PRO-01] works'), buildResult('[RTE-08:home] [RTE-08:unit] open')];

  it('prints the missing parts of each open row', () => {
    const { status, stdout } = run(passedResults);
    expect(stdout).toBe('RTE-08 missing: pid-viewer\n1 of 2 rows have a passing test\n');
    expect(status).toBe(0);
  });

  it('prints all rows with all parts as JSON', () => {
    const { rows } = computeRowStates(parseRows(requirements), passedResults);
    expect(JSON.parse(run(passedResults, '--json').stdout)).toEqual({ rows });
  });

  it.each([
    ['a part that failed', buildResult('[RTE-08:unit] opens', 'failed'), 'RTE-08 failed: unit; missing: pid-viewer'],
    [
      'a part that no row has',
      buildResult('[RTE-08:tour] opens'),
      'These ids in test titles belong to no row or part: RTE-08:tour',
    ],
  ])('fails for %s and names it', (_, result, args) => {
    const { status, stdout, stderr } = run([...passedResults, result]);
    expect(stdout + stderr).toContain(args);
    expect(status).toBe(1);
  });
});
