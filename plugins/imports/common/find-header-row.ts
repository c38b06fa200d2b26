import type { ImportColumn } from '../contract/index.ts';
import type { Cell } from './check-value.ts';
import { splitUnit } from './column-units.ts';
import { toHeaderKey, toHeaderText, toSynonymKey } from './match-headers.ts';

/** The name of a header without its unit, which does not matter to tell headers from titles. */
const toNameKey = (header: string): string =>
  toSynonymKey((splitUnit(header)?.name ?? header).replace(/[([][^()[\]]*[)\]]\s*\*?\s*$/, ''));

/** Columns that were chosen for headers before, by the key of the header. */
export type RememberedColumns = ReadonlyMap<string, string | null>;

/**
 * Creates a function that counts the columns that a row names by header, synonym or an earlier choice, whatever the
 * unit. A row that names a single column counts as none, unless no other one is required.
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
    const hasAll = requiredColumns.length > 0 && requiredColumns.every(({ id }) => namedColumns.has(id));
    return namedColumns.size > 1 || hasAll ? namedColumns.size : 0;
  };
}

/** The last row in which the headers of a sheet are searched. A person can choose a later one. */
export const maxHeaderRow = 15;

/**
 * The index of the row with the headers, among the first rows of a sheet: the one that names the most columns, and at
 * least two or all that are required. If none does, the first row that is no title of a single cell.
 */
export function findHeaderRow(
  columns: readonly ImportColumn[],
  rows: readonly (readonly Cell[])[],
  rememberedColumns: RememberedColumns,
): number {
  const counts = rows.map(createHeaderCounter(columns, rememberedColumns));
  const most = Math.max(0, ...counts);
  if (most > 0) return counts.indexOf(most);
  return Math.max(
    0,
    rows.findIndex((cells) => cells.filter((cell) => toHeaderText(cell) !== '').length > 1),
  );
}
