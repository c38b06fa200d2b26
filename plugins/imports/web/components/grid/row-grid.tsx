import { observer } from 'mobx-react-lite';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { MessageBar, MessageBarBody, mergeClasses } from '#core/ui';
import type { PagedRows } from '#core/ui-data';
import { I18n, useFormatFailure, useService, useText } from '#core/web';
import type { ImportColumnInfo, ImportRow } from '../../../contract/api.ts';
import { findNextCell, type CellPosition } from '../../stores/find-next-cell.ts';
import { formatValue } from '../../stores/format-value.ts';
import type { CellEditing, EditorExit } from './cell-editor.tsx';
import { GridRow, type SavedCell } from './grid-row.tsx';
import { headerPx, rowHeadPx, useGridStyles } from './use-grid-styles.ts';
import { useGridVirtualizers } from './use-grid-virtualizers.ts';

const lowRowPx = 44;
/** Leaves room for a message of two lines below the value. */
const tallRowPx = 76;

/** The cell that is selected, with its row. */
export interface ActiveCell {
  readonly row: ImportRow;
  readonly column: number;
  readonly edit: () => void;
}

export interface RowGridProps {
  readonly label: string;
  readonly rows: PagedRows<ImportRow>;
  readonly columns: readonly ImportColumnInfo[];
  /** Whether rows have room for messages. */
  readonly isTall: boolean;
  /** Time zone of the site, in which dates are shown and typed. */
  readonly timeZone: string;
  readonly canEdit: boolean;
  /** Id of the column that is selected at first. */
  readonly startColumn: string | null;
  readonly onSave: (row: ImportRow, column: string, text: string) => Promise<void>;
  readonly onActiveCellChange: (cell: ActiveCell | undefined) => void;
  readonly empty: ReactNode;
}

interface EditState {
  readonly initialText: string;
  readonly isBusy: boolean;
}

/**
 * A grid of any size, of which only the cells in sight are rendered. Arrow keys, Page Up, Page Down, Home and End move
 * between cells; Enter, F2, a letter or a second click edit one.
 */
export const RowGrid = observer(function RowGrid({
  label,
  rows,
  columns,
  isTall,
  timeZone,
  canEdit,
  startColumn,
  onSave,
  onActiveCellChange,
  empty,
}: RowGridProps) {
  const styles = useGridStyles();
  const t = useText();
  const formatFailure = useFormatFailure();
  const { language } = useService(I18n);
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const activeCellRef = useRef<HTMLDivElement>(null);
  const focusPending = useRef(false);
  const [position, setPosition] = useState<CellPosition>({ row: 0, column: 0 });
  const [editState, setEditState] = useState<EditState>();
  const [savedCell, setSavedCell] = useState<SavedCell>();
  const [failure, setFailure] = useState<unknown>();
  const rowPx = isTall ? tallRowPx : lowRowPx;
  const rowCount = rows.total ?? 0;
  const activePosition = {
    row: Math.max(0, Math.min(position.row, rowCount - 1)),
    column: Math.max(0, Math.min(position.column, columns.length - 1)),
  };
  const { vertical, horizontal } = useGridVirtualizers(scroller, rows, columns, rowPx, activePosition);
  const activeRow = rows.rowAt(activePosition.row);
  const activeColumn = columns[activePosition.column];

  const select = (row: number, column: number): void => {
    focusPending.current = true;
    setPosition({ row, column });
    vertical.scrollToIndex(row, { align: 'auto' });
    horizontal.scrollToIndex(column, { align: 'auto' });
  };
  const startEditing = (row: number, column: number, typedText?: string): void => {
    const target = rows.rowAt(row);
    const columnInfo = columns[column];
    if (!canEdit || target === undefined || columnInfo === undefined) return;
    if (target.state === 'REMOVED' || target.state === 'LEFT_OUT') return;
    select(row, column);
    focusPending.current = false;
    setFailure(undefined);
    setEditState({
      initialText: typedText ?? formatValue(target.values[columnInfo.id], columnInfo, { timeZone, language }),
      isBusy: false,
    });
  };

  useLayoutEffect(() => {
    if (!focusPending.current || editState) return;
    // A row that is loading has no cell to focus: until then, the grid has the focus and handles the keys.
    focusPending.current = activeCellRef.current === null;
    (activeCellRef.current ?? grid.current)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const index = columns.findIndex(({ id }) => id === startColumn);
    if (index === -1) return;
    setPosition(({ row }) => ({ row, column: index }));
    horizontal.scrollToIndex(index, { align: 'auto' });
  }, [startColumn, columns, horizontal]);
  useEffect(() => {
    onActiveCellChange(
      activeRow === undefined
        ? undefined
        : {
            row: activeRow,
            column: activePosition.column,
            edit: () => startEditing(activePosition.row, activePosition.column),
          },
    );
    // oxlint-disable-next-line react/exhaustive-deps -- `startEditing` is new at each render
  }, [activeRow, activePosition.row, activePosition.column, onActiveCellChange]);

  const save = async (text: string, exit: EditorExit): Promise<void> => {
    if (editState === undefined || activeRow === undefined || activeColumn === undefined) return;
    const step = exit === 'NEXT' ? 1 : exit === 'PREVIOUS' ? -1 : 0;
    const leave = (): void => {
      setEditState(undefined);
      if (exit !== 'BLUR')
        select(activePosition.row, Math.max(0, Math.min(activePosition.column + step, columns.length - 1)));
    };
    if (text === formatValue(activeRow.values[activeColumn.id], activeColumn, { timeZone, language })) return leave();
    setEditState({ initialText: text, isBusy: true });
    try {
      await onSave(activeRow, activeColumn.id, text);
      setSavedCell({ row: activeRow, column: activeColumn.id, text });
      setFailure(undefined);
      leave();
    } catch (cause) {
      // The editor keeps the typed text.
      setFailure(cause);
      setEditState({ initialText: text, isBusy: false });
    }
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (editState) return;
    const { key, ctrlKey, metaKey, altKey } = event;
    const rowsPerPage = Math.max(1, Math.floor(((vertical.scrollRect?.height ?? 0) - headerPx) / rowPx) - 1);
    const next = findNextCell(event, activePosition, { rows: rowCount, columns: columns.length }, rowsPerPage);
    if (next) select(next.row, next.column);
    else if (key === 'Enter' || key === 'F2') startEditing(activePosition.row, activePosition.column);
    else if (key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey)
      startEditing(activePosition.row, activePosition.column, key);
    else return;
    event.preventDefault();
  };
  const editing: CellEditing | undefined = editState && {
    ...editState,
    onSave: (text, exit) => void save(text, exit),
    onCancel: () => {
      setEditState(undefined);
      setFailure(undefined);
      select(activePosition.row, activePosition.column);
    },
  };
  const widthPx = rowHeadPx + horizontal.getTotalSize();
  const visibleColumns = horizontal.getVirtualItems();
  return (
    <>
      {failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
        </MessageBar>
      )}
      <div ref={scroller} className={styles.scroller}>
        <div
          ref={grid}
          role="grid"
          aria-label={label}
          aria-rowcount={rowCount + 1}
          aria-colcount={columns.length + 1}
          tabIndex={-1}
          onKeyDown={handleKeyDown}
          style={{ width: `max(100%, ${widthPx}px)` }}
        >
          <div role="row" aria-rowindex={1} className={styles.header}>
            <div role="columnheader" aria-colindex={1} className={mergeClasses(styles.rowHead, styles.headCell)}>
              {t('imports.rows.head')}
            </div>
            {visibleColumns.map(({ index, start, size }) => (
              <div
                key={index}
                role="columnheader"
                aria-colindex={index + 2}
                className={styles.cell}
                style={{ left: `${start}px`, width: `${size}px` }}
              >
                <span className={styles.line}>{toColumnTitle(columns[index], language)}</span>
              </div>
            ))}
          </div>
          {rowCount === 0 && rows.total !== undefined ? (
            <div role="row" aria-rowindex={2}>
              <div role="gridcell">{empty}</div>
            </div>
          ) : (
            <div role="rowgroup" className={styles.body} style={{ height: `${rowCount * rowPx}px` }}>
              {vertical.getVirtualItems().map(({ index }) => (
                <GridRow
                  key={index}
                  rows={rows}
                  columns={columns}
                  visibleColumns={visibleColumns}
                  index={index}
                  heightPx={rowPx}
                  timeZone={timeZone}
                  canEdit={canEdit}
                  activeColumn={index === activePosition.row ? activePosition.column : undefined}
                  savedCell={savedCell}
                  editing={index === activePosition.row ? editing : undefined}
                  activeCellRef={activeCellRef}
                  onSelect={select}
                  onEdit={startEditing}
                />
              ))}
            </div>
          )}
        </div>
      </div>
    </>
  );
});

const toColumnTitle = (column: ImportColumnInfo | undefined, language: 'en' | 'fr'): string =>
  column === undefined ? '' : column.header[language] + (column.required ? ' *' : '');
