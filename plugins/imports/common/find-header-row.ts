import { splitHeaderUnit } from '#core';
import type { ImportColumn } from '../contract/index.ts';
import type { Cell } from './check-value.ts';
import { toHeaderKey, toHeaderText, toSynonymKey } from './match-headers.ts';

/** The name of a header without its unit. The search for the header row ignores units. */
const toNameKey = (header: string): string =>
  toSynonymKey((splitHeaderUnit(header)?.name ?? header).replace(/[([][^()[\]]*[)\]]\s*\*?\s*$/, ''));

/** Columns that were chosen for headers before, by the key of the header. */
export type RememberedColumns = ReadonlyMap<string, string | null>;

/**
 * Creates a function that counts the columns that a row names by header, synonym or an earlier choice, whatever the
 * unit. A row that names a single column counts as 0, unless that is the only required one.
 */
export function createHeaderCounter(
  columns: readonly ImportColumn[],
  rememberedColumns: RememberedColumns = new Map(),
): (cells: readonly Cell[]) => number {
  const byName = new Map(
    columns.flatMap(({ id, header, synonymHeaders = [] }) =>
      [id, header.en, header.fr, ...synonymHeaders].map((text) => [toNameKey(text), id] as const),
    ),
  );
  const requiredColumns = columns.filter((column) => column.required === true);
  return (cells) => {
    const namedColumns = new Set(
      cells.map((cell) => {
        const text = toHeaderText(cell);
        return byName.get(toNameKey(text)) ?? rememberedColumns.get(toHeaderKey(text));
      }),
    );
    namedColumns.delete(undefined);
    namedColumns.delete(null);
    const hasAllRequired = requiredColumns.length > 0 && requiredColumns.every(({ id }) => namedColumns.has(id));
    return namedColumns.size > 1 || hasAllRequired ? namedColumns.size : 0;
  };
}

/** The last row in which the headers of a sheet are searched. A person can choose a later one. */
export const maxHeaderRow = 15;

/**
 * The index of the row with the headers, among the first rows of a sheet: the one that names the most columns, and at
 * least two or all that are required. If none does, the first row that has words above most columns of the rows below.
 */
export function findHeaderRow(
  columns: readonly ImportColumn[],
  rows: readonly (readonly Cell[])[],
  rememberedColumns: RememberedColumns,
): number {
  const counts = rows.map(createHeaderCounter(columns, rememberedColumns));
  const maxCount = Math.max(0, ...counts);
  if (maxCount > 0) return counts.indexOf(maxCount);
  const dataColumns = listDataColumns(rows);
  const wordCounts = rows.map((cells) => countWords(cells, dataColumns));
  const minWordCount = Math.max(0, ...wordCounts) * minHeaderShare;
  return Math.max(
    0,
    wordCounts.findIndex((count) => count >= minWordCount),
  );
}

/** A header row may lack some headers. Title rows fill a smaller share of the columns. */
const minHeaderShare = 0.75;
/** Rows that show which columns have values. */
const maxSampleRows = 5;

/** Indexes of the columns that at least half of the last rows fill. */
function listDataColumns(rows: readonly (readonly Cell[])[]): readonly number[] {
  const lastRows = rows.filter((cells) => cells.some((cell) => toHeaderText(cell) !== '')).slice(-maxSampleRows);
  const width = Math.max(0, ...lastRows.map(({ length }) => length));
  const isFilled = (index: number): boolean =>
    lastRows.filter((cells) => toHeaderText(cells[index]) !== '').length * 2 >= lastRows.length;
  return Array.from({ length: width }, (_, index) => index).filter((index) => isFilled(index));
}

/** Counts different texts with a letter in these columns. Numbers and dates are values, not headers. */
const countWords = (cells: readonly Cell[], columns: readonly number[]): number =>
  new Set(
    columns
      .filter((index) => typeof cells[index] === 'string')
      .map((index) => toHeaderText(cells[index]))
      .filter((text) => /\p{L}/u.test(text)),
  ).size;
