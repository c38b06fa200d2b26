import { expect, it } from 'vitest';
import { replacesFile, toErrorName } from './replaced-files.ts';

it.each([
  ['tags.xlsx', 'tags.xlsx'],
  ['tags.csv', 'tags.csv'],
  ['tags_ERROR.xlsx', 'tags.xlsx'],
  ['tags_ERROR (1).xlsx', 'tags.xlsx'],
  ['tags_ERROR_ERROR.xlsx', 'tags.xlsx'],
  ['tags.xlsx', 'tags_ERROR.xlsx'],
  ['tags_ERROR(2).xlsx', 'tags_ERROR.xlsx'],
])('%s replaces the former file %s', (name, formerName) => {
  expect(replacesFile(name, formerName)).toBe(true);
});

it.each([
  ['lines_ERROR.xlsx', 'tags.xlsx'],
  ['tags (2).xlsx', 'tags (1).xlsx'],
  ['tags.xlsx', 'tags.csv'],
  ['tags_ERROR.png', 'tags.png'],
])('%s does not replace the other file %s', (name, formerName) => {
  expect(replacesFile(name, formerName)).toBe(false);
});

it('adds the suffix of error workbooks to the name of a file once', () => {
  expect(['tags.xlsx', 'tags_ERROR.xlsx', 'tags_ERROR (1).xlsx'].map(toErrorName)).toEqual(
    Array<string>(3).fill('tags_ERROR.xlsx'),
  );
});
