import { observer } from 'mobx-react-lite';
import type { Ref } from 'react';
import { Button, mergeClasses } from '#core/ui';
import type { PagedRows } from '#core/ui-data';
import { useText } from '#core/web';
import type { ImportColumnInfo, ImportRow } from '../../../contract/api.ts';
import type { CellEditing } from './cell-editor.tsx';
import { GridCell } from './grid-cell.tsx';
import { useGridStyles } from './use-grid-styles.ts';

/** A column in sight, with its offset and width in pixels. */
export interface VisibleColumn {
  readonly index: number;
  readonly start: number;
  readonly size: number;
}

/** A value that was saved, before the changed row is loaded again. */
export interface SavedCell {
  readonly row: ImportRow;
  readonly column: string;
  readonly text: string;
}

export interface GridRowProps {
  readonly rows: PagedRows<ImportRow>;
  readonly columns: readonly ImportColumnInfo[];
  readonly visibleColumns: readonly VisibleColumn[];
  readonly index: number;
  readonly heightPx: number;
  readonly timeZone: string;
  readonly canEdit: boolean;
  /** Index of the active column; undefined in other rows. */
  readonly activeColumn: number | undefined;
  readonly savedCell: SavedCell | undefined;
  readonly editing: CellEditing | undefined;
  readonly activeCellRef: Ref<HTMLDivElement>;
  readonly onSelect: (row: number, column: number) => void;
  readonly onEdit: (row: number, column: number) => void;
}

/** One row: its number and state, and the cells in sight. */
export const GridRow = observer(function GridRow({
  rows,
  columns,
  visibleColumns,
  index,
  heightPx,
  timeZone,
  canEdit,
  activeColumn,
  savedCell,
  editing,
  activeCellRef,
  onSelect,
  onEdit,
}: GridRowProps) {
  const t = useText();
  const styles = useGridStyles();
  const row = rows.rowAt(index);
  const hasFailed = row === undefined && rows.failureAt(index) !== undefined;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={row === undefined && !hasFailed}
      className={styles.row}
      style={{ top: `${index * heightPx}px`, height: `${heightPx}px` }}
    >
      <div role="rowheader" aria-colindex={1} className={styles.rowHead}>
        {row === undefined ? (
          hasFailed ? (
            <Button size="small" onClick={rows.retry}>
              {t('core.tryAgain')}
            </Button>
          ) : (
            t('core.table.loading')
          )
        ) : (
          <>
            <span>{row.row ?? '–'}</span>
            <span className={mergeClasses(styles.state, row.state === 'ERROR' && styles.errorText)}>
              {t(`imports.state.${row.state}`)}
            </span>
          </>
        )}
      </div>
      {row === undefined
        ? null
        : visibleColumns.map((visibleColumn) => {
            const column = columns[visibleColumn.index];
            if (column === undefined) return null;
            const isActive = activeColumn === visibleColumn.index;
            return (
              <GridCell
                key={column.id}
                styles={styles}
                row={row}
                column={column}
                index={visibleColumn.index}
                leftPx={visibleColumn.start}
                widthPx={visibleColumn.size}
                timeZone={timeZone}
                isActive={isActive}
                canEdit={canEdit && row.state !== 'REMOVED' && row.state !== 'LEFT_OUT'}
                savedText={savedCell?.row === row && savedCell.column === column.id ? savedCell.text : undefined}
                editing={isActive ? editing : undefined}
                activeCellRef={activeCellRef}
                onSelect={() => onSelect(index, visibleColumn.index)}
                onEdit={() => onEdit(index, visibleColumn.index)}
              />
            );
          })}
    </div>
  );
});
