import { expect, it } from 'vitest';
import { pickFileOfFirstRow } from './pick-file.ts';

const toRows = (...numbers: readonly number[]) => numbers.map((number) => ({ number }));

it('picks the file of the first row, and numbers rows within that file', () => {
  // Rows 2 to 4 are in the first file, rows 5 to 7 in the second, as rows 2 to 4.
  expect(pickFileOfFirstRow(toRows(4, 5), 2, 3)).toEqual({ fileIndex: 0, rows: toRows(4) });
  expect(pickFileOfFirstRow(toRows(5, 7), 2, 3)).toEqual({ fileIndex: 1, rows: toRows(2, 4) });
  expect(pickFileOfFirstRow(toRows(8), 2, 3)).toEqual({ fileIndex: 1, rows: toRows(5) });
  expect(pickFileOfFirstRow(toRows(1, 300), 1, 3)).toEqual({ fileIndex: 0, rows: toRows(1, 300) });
  expect(pickFileOfFirstRow([], 2, 3)).toEqual({ fileIndex: 0, rows: [] });
});
