import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rowIds, rowStates } from './rows.mjs';

describe('conformance', () => {
  it('knows every row of the requirements once', () => {
    const ids = rowIds(readFileSync('docs/requirements.md', 'utf8'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(['PRO-01', 'SES-17', 'TOUR-20', 'ERR-03']));
  });

  it('takes a failed test over a passed one, and a row without a test as missing', () => {
    const results = [
      { title: 'a [PRO-01] [PRO-02] works', state: 'passed' },
      { title: '[PRO-02] breaks', state: 'failed' },
      { title: '[PRO-03] cannot run', state: 'skipped' },
      { title: '[XYZ-99] is invented', state: 'passed' },
    ];
    expect(rowStates(['PRO-01', 'PRO-02', 'PRO-03', 'PRO-04'], results)).toEqual({
      rows: [
        { id: 'PRO-01', state: 'passed' },
        { id: 'PRO-02', state: 'failed' },
        { id: 'PRO-03', state: 'skipped' },
        { id: 'PRO-04', state: 'missing' },
      ],
      unknown: ['XYZ-99'],
    });
  });

  it('refuses a list without rows', () => {
    expect(() => rowIds('# Nothing')).toThrow(/no requirement/);
  });
});
