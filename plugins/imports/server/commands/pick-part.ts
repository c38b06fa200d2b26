import { maxRowsPerSheet } from '#plugins/imports';

/**
 * Finds the file that has the first of some rows, which are numbered through all files of a sheet, and the rows of this
 * file by its own numbers. Each file but the last is full; see `createWorkbookContent`.
 *
 * @param rows in the order of the files; row 1 of each file is the header
 */
export function pickPart<Row extends { readonly number: number }>(
  rows: readonly Row[],
  files: number,
  maxRows = maxRowsPerSheet,
): { readonly part: number; readonly rows: readonly Row[] } {
  const toPart = ({ number }: Row): number => Math.max(0, Math.min(files - 1, Math.floor((number - 2) / maxRows)));
  const part = rows[0] ? toPart(rows[0]) : 0;
  return {
    part,
    rows: rows.filter((row) => toPart(row) === part).map((row) => ({ ...row, number: row.number - part * maxRows })),
  };
}
