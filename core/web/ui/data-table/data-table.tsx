import {
  makeStyles,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  tokens,
} from '@fluentui/react-components';
import { defaultRangeExtractor, observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { observer } from 'mobx-react-lite';
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import type { PagedRows } from '../../resource/paged-resource.ts';
import type { DataColumn } from './data-column.ts';
import { DataTableRow } from './data-table-row.tsx';
import { findIndexAfter } from './index-after.ts';

export interface DataTableSort {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

export interface DataTableHandle {
  /** Moves the focus to a row, and scrolls it into view. */
  readonly focusRow: (index: number) => void;
}

export interface DataTableProps<Row> {
  /** Name of the table. */
  readonly label: string;
  readonly rows: PagedRows<Row>;
  /** Must be a constant or come from `useMemo`, because new columns render all rows again. */
  readonly columns: readonly DataColumn<Row>[];
  readonly rowHeightPx: number;
  /**
   * Below this width, in pixels, the cells of a row are stacked. `rowHeightPx` estimates rows that were not rendered
   * yet.
   */
  readonly narrow?: { readonly belowPx: number; readonly rowHeightPx: number };
  readonly sort?: DataTableSort | undefined;
  readonly onSort?: (sort: DataTableSort) => void;
  /** Shown for an empty table. */
  readonly empty: ReactNode;
  readonly handle?: Ref<DataTableHandle>;
}

const headerPx = 40;
/** Number of rows that are rendered above and below the visible rows. */
const overscan = 6;
/** Number of rows above which a table renders new rows with low priority. */
const maxRowsAtOnce = 200;

const useStyles = makeStyles({
  scroller: {
    position: 'relative',
    // The header stays above the rows, and below the bar of the shell.
    isolation: 'isolate',
    overflowY: 'auto',
    maxHeight: 'max(320px, calc(100dvh - 360px))',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  header: { position: 'sticky', top: 0, zIndex: 1, backgroundColor: tokens.colorNeutralBackground3 },
  headerRow: {
    display: 'grid',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    height: `${headerPx}px`,
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalM}`,
  },
  title: { fontWeight: tokens.fontWeightSemibold, padding: 0, minWidth: 0 },
  hidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  body: { position: 'relative', display: 'block' },
  empty: { display: 'block' },
});

/**
 * A table of up to 100,000 rows that renders and loads only the visible rows. Arrow keys, Page Up, Page Down, Home and
 * End move between rows; Right and Enter move to a row's controls, Left and Escape back.
 */
export const DataTable = observer(function DataTable<Row>({
  label,
  rows,
  columns,
  rowHeightPx,
  narrow,
  sort,
  onSort,
  empty,
  handle,
}: DataTableProps<Row>) {
  const styles = useStyles();
  const scroller = useRef<HTMLDivElement>(null);
  const [isNarrow, setIsNarrow] = useState(false);
  const [activeIndex, setActiveIndex] = useState(0);
  const focusPending = useRef(false);
  const total = rows.total ?? 0;
  const active = Math.max(0, Math.min(activeIndex, total - 1));
  const stacked = narrow !== undefined && isNarrow;
  const height = stacked ? narrow.rowHeightPx : rowHeightPx;

  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan,
    scrollMargin: headerPx,
    scrollPaddingStart: headerPx,
    initialRect: { width: 1000, height: 480 },
    useFlushSync: false,
    // The active row stays in the document, so that it keeps the focus when it is scrolled out of view.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), active])]
        .filter((index) => index < total)
        .toSorted((a, b) => a - b),
    observeElementRect: (instance, onRect) =>
      observeElementRect(instance, (rect) => {
        setIsNarrow(narrow !== undefined && rect.width < narrow.belowPx);
        onRect(rect);
      }),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);

  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(
    () => rows.loadRows(startIndex - overscan, Math.min(total - 1, endIndex + overscan)),
    [rows, startIndex, endIndex, total],
  );

  const focusRow = (index: number): void =>
    scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`)?.focus({ preventScroll: true });
  useLayoutEffect(() => {
    if (!focusPending.current) return;
    focusPending.current = false;
    focusRow(active);
  });

  const moveTo = (index: number): void => {
    focusPending.current = true;
    setActiveIndex(index);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  useImperativeHandle(handle, () => ({
    focusRow: (index) => {
      moveTo(index);
      // The row may be the active one, which needs no further rendering.
      focusRow(index);
    },
  }));
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const perPage = Math.max(1, Math.floor(((virtualizer.scrollRect?.height ?? 0) - headerPx) / height) - 1);
    const index = findIndexAfter(event, active, total, perPage);
    if (index === undefined) return;
    event.preventDefault();
    moveTo(index);
  };

  const template = stacked ? 'max-content minmax(0, 1fr)' : columns.map(({ width }) => width).join(' ');
  return (
    <div ref={scroller} className={styles.scroller}>
      <Table noNativeElements role="grid" aria-label={label} aria-rowcount={total + 1}>
        <TableHeader className={isNarrow ? styles.hidden : styles.header}>
          <TableRow aria-rowindex={1} className={styles.headerRow} style={{ gridTemplateColumns: template }}>
            {columns.map(({ id, title, titleHidden, sortable }) => (
              <TableHeaderCell
                key={id}
                className={styles.title}
                {...(sortable && onSort && !isNarrow
                  ? {
                      sortable: true,
                      ...(sort?.column === id ? { sortDirection: sort.direction } : {}),
                      onClick: () => onSort({ column: id, direction: toggleDirection(sort, id) }),
                    }
                  : {})}
              >
                {titleHidden ? <span className={styles.hidden}>{title}</span> : title}
              </TableHeaderCell>
            ))}
          </TableRow>
        </TableHeader>
        {total === 0 && rows.total !== undefined ? (
          <TableBody>
            <TableRow aria-rowindex={2} className={styles.empty}>
              <TableCell role="gridcell" aria-colspan={columns.length} className={styles.empty}>
                {empty}
              </TableCell>
            </TableRow>
          </TableBody>
        ) : (
          <TableBody
            className={styles.body}
            style={{ height: `${virtualizer.getTotalSize()}px` }}
            onKeyDown={handleKeyDown}
          >
            {virtualizer.getVirtualItems().map(({ index, start }) => (
              <DataTableRow
                key={index}
                rows={rows}
                columns={columns}
                index={index}
                topPx={start - headerPx}
                {...(stacked ? { measure: virtualizer.measureElement } : { heightPx: height })}
                template={template}
                active={index === active}
                deferred={total > maxRowsAtOnce}
                onFocus={setActiveIndex}
              />
            ))}
          </TableBody>
        )}
      </Table>
    </div>
  );
});

function toggleDirection(sort: DataTableSort | undefined, column: string): DataTableSort['direction'] {
  return sort?.column === column && sort.direction === 'ascending' ? 'descending' : 'ascending';
}
