import type { CursorPage } from '#core/api';

/** Builds a list that fits into one page. */
export const buildPage = <Row>(rows: readonly Row[]): CursorPage<Row> => ({
  rows: [...rows],
  total: rows.length,
  next: null,
});
