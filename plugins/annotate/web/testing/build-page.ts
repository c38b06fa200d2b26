import type { Page } from '#core/api';

/** A list that fits into one reply. */
export const buildPage = <Row>(rows: readonly Row[]): Page<Row> => ({
  rows: [...rows],
  total: rows.length,
  next: null,
});
