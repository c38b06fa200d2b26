import { useEffect, useLayoutEffect, type RefObject } from 'react';
import { defaultRangeExtractor, useVirtualizer, type PagedRows } from '#core/ui-data';
import type { ImportColumnInfo, ImportRow } from '../../../contract/api.ts';
import type { CellPosition } from '../../stores/find-next-cell.ts';
import { headerPx, rowHeadPx } from './use-grid-styles.ts';

/** Number of rows and of columns that are rendered outside of the visible part. */
const overscanRows = 6;
const overscanColumns = 2;

const widthsPx: Partial<Record<ImportColumnInfo['type'], number>> = {
  BOOLEAN: 96,
  INTEGER: 112,
  NUMBER: 112,
  NAME: 208,
  EMAIL: 224,
  TEXT: 240,
};
const defaultWidthPx = 168;

const includeActive = (activeIndex: number, count: number) => (range: Parameters<typeof defaultRangeExtractor>[0]) =>
  [...new Set([...defaultRangeExtractor(range), activeIndex])]
    .filter((index) => index >= 0 && index < count)
    .toSorted((a, b) => a - b);

/** Renders the rows and columns in sight and the active cell, and loads the pages of these rows. */
export function useGridVirtualizers(
  scroller: RefObject<HTMLDivElement | null>,
  rows: PagedRows<ImportRow>,
  columns: readonly ImportColumnInfo[],
  rowPx: number,
  activePosition: CellPosition,
) {
  const total = rows.total ?? 0;
  const vertical = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: overscanRows,
    scrollMargin: headerPx,
    scrollPaddingStart: headerPx,
    initialRect: { width: 1000, height: 480 },
    useFlushSync: false,
    rangeExtractor: includeActive(activePosition.row, total),
  });
  const horizontal = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widthsPx[columns[index]?.type ?? 'TEXT'] ?? defaultWidthPx,
    overscan: overscanColumns,
    scrollMargin: rowHeadPx,
    scrollPaddingStart: rowHeadPx,
    initialRect: { width: 1000, height: 480 },
    useFlushSync: false,
    rangeExtractor: includeActive(activePosition.column, columns.length),
  });
  useLayoutEffect(() => vertical.measure(), [vertical, rowPx]);
  useLayoutEffect(() => horizontal.measure(), [horizontal, columns]);
  const { startIndex = 0, endIndex = 0 } = vertical.range ?? {};
  useEffect(
    () => rows.loadRows(startIndex - overscanRows, Math.min(total - 1, endIndex + overscanRows)),
    [rows, startIndex, endIndex, total],
  );
  return { vertical, horizontal };
}
