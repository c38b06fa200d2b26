import type { DataTableSort, PagedRows } from '#core/ui-data';

/** Converts completely loaded rows to the rows of a table. */
export const toListedRows = <Row>(rows: readonly Row[]): PagedRows<Row> => ({
  total: rows.length,
  rowAt: (index) => rows[index],
  failureAt: () => undefined,
  loadRows: () => undefined,
  retry: () => undefined,
});

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts by texts (N2 before N10) or by numbers. */
export function sortRows<Row>(
  rows: readonly Row[],
  sort: DataTableSort | undefined,
  readValue: (row: Row, column: string) => string | number,
): readonly Row[] {
  if (!sort) return rows;
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [first, second] = [readValue(a, sort.column), readValue(b, sort.column)];
    return (
      sign *
      (typeof first === 'number' && typeof second === 'number'
        ? first - second
        : compare(String(first), String(second)))
    );
  });
}
