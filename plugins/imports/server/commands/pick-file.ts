import { maxRowsPerSheet } from '#plugins/imports';

/**
 * Finds the file with the first of some rows, which are numbered through all files of a sheet. Returns the rows of this
 * file with their numbers in it. Each file but the last is full; see `createWorkbookContent`.
 *
 * @param rows in the order of the files; row 1 of each file is the header
 */
export function pickFileOfFirstRow<Row extends { readonly number: number }>(
  rows: readonly Row[],
  files: number,
  maxRows = maxRowsPerSheet,
): { readonly fileIndex: number; readonly rows: readonly Row[] } {
  const toFileIndex = ({ number }: Row): number => Math.max(0, Math.min(files - 1, Math.floor((number - 2) / maxRows)));
  const fileIndex = rows[0] ? toFileIndex(rows[0]) : 0;
  return {
    fileIndex,
    rows: rows
      .filter((row) => toFileIndex(row) === fileIndex)
      .map((row) => ({ ...row, number: row.number - fileIndex * maxRows })),
  };
}
