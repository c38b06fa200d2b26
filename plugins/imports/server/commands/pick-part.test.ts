import { expect, it } from 'vitest';
import { pickPart } from './pick-part.ts';

const toRows = (...numbers: readonly number[]) => numbers.map((number) => ({ number }));

it('picks the file of the first row, and counts rows within it', () => {
  // Rows 2 to 4 are in the first file, rows 5 to 7 in the second, as rows 2 to 4.
  expect(pickPart(toRows(4, 5), 2, 3)).toEqual({ part: 0, rows: toRows(4) });
  expect(pickPart(toRows(5, 7), 2, 3)).toEqual({ part: 1, rows: toRows(2, 4) });
  expect(pickPart(toRows(8), 2, 3)).toEqual({ part: 1, rows: toRows(5) });
  expect(pickPart(toRows(1, 300), 1, 3)).toEqual({ part: 0, rows: toRows(1, 300) });
  expect(pickPart([], 2, 3)).toEqual({ part: 0, rows: [] });
});
