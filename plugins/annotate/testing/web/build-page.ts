import type { CursorPage } from '#core/api';

/** A list that fits into one page. */
export const buildPage = <Row>(rows: readonly Row[]): CursorPage<Row> => ({
  rows: [...rows],
  total: rows.length,
  next: null,
});
