import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { observer } from 'mobx-react-lite';
import { useDeferredValue, type KeyboardEvent } from 'react';
import { useText } from '../../i18n/use-text.ts';
import type { PagedRows } from '../../resource/paged-resource.ts';
import type { DataColumn } from './data-column.ts';

const useStyles = makeStyles({
  row: {
    position: 'absolute',
    left: 0,
    right: 0,
    display: 'grid',
    alignItems: 'center',
    alignContent: 'center',
    columnGap: tokens.spacingHorizontalM,
    rowGap: tokens.spacingVerticalXXS,
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    color: tokens.colorNeutralForeground1,
    contain: 'layout style paint',
    ':hover': {
      backgroundColor: tokens.colorSubtleBackgroundHover,
      '@media (forced-colors: active)': { color: 'Highlight' },
    },
    ':active': { backgroundColor: tokens.colorSubtleBackgroundPressed },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  stacked: {
    paddingTop: tokens.spacingVerticalM,
    paddingBottom: tokens.spacingVerticalM,
    columnGap: tokens.spacingHorizontalXS,
  },
  spanning: { gridColumn: '1 / -1', ':empty': { display: 'none' } },
  titledCell: { display: 'flex', alignItems: 'baseline', columnGap: tokens.spacingHorizontalS },
  label: {
    flexShrink: 0,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    ':has(+ :empty)': { display: 'none' },
  },
  value: { minWidth: 0 },
  cell: { position: 'relative', minWidth: 0 },
  fullWidth: { gridColumn: '1 / -1', display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalM },
});

export interface DataTableRowProps<Row> {
  readonly rows: PagedRows<Row>;
  readonly columns: readonly DataColumn<Row>[];
  readonly index: number;
  /** From the top of the first row. */
  readonly topPx: number;
  /** Undefined if the cells are stacked. The content then determines the height, and `measure` reads it. */
  readonly heightPx?: number;
  readonly measure?: (row: HTMLElement | null) => void;
  readonly template: string;
  readonly active: boolean;
  /** Renders the first content with low priority, so that a new screenful of rows does not block scrolling. */
  readonly deferred: boolean;
  readonly onFocus: (index: number) => void;
}

/**
 * One row with its cells, or with a loading or error state. Its elements are plain, because a screenful of Fluent's
 * rows and cells takes long to render while a long table is scrolled.
 */
export const DataTableRow = observer(function DataTableRow<Row>({
  rows,
  columns,
  index,
  topPx,
  heightPx,
  measure,
  template,
  active,
  deferred,
  onFocus,
}: DataTableRowProps<Row>) {
  const styles = useStyles();
  const loadedRow = rows.rowAt(index);
  const deferredRow = useDeferredValue(loadedRow ?? null, null);
  const tabIndex = active ? 0 : -1;
  const stacked = heightPx === undefined;
  // A stacked row is measured when it is mounted, and keys move the focus to the controls of the active row.
  const isShown = !deferred || stacked || active || deferredRow !== null;
  const row = isShown ? loadedRow : undefined;
  return (
    <div
      role="row"
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      aria-busy={row === undefined && !rows.failureAt(index)}
      tabIndex={tabIndex}
      className={mergeClasses(styles.row, stacked && styles.stacked)}
      style={{ top: `${topPx}px`, ...(stacked ? {} : { height: `${heightPx}px` }), gridTemplateColumns: template }}
      onFocus={() => onFocus(index)}
      onKeyDown={moveThroughControls}
    >
      {row === undefined ? (
        <div role="gridcell" aria-colspan={columns.length} className={styles.fullWidth}>
          {loadedRow === undefined && (
            <MissingRow failed={rows.failureAt(index) !== undefined} onRetry={rows.retry} tabIndex={tabIndex} />
          )}
        </div>
      ) : (
        columns.map(({ id, title, cell, besideNext, titleWhenStacked }, position) => (
          <div
            key={id}
            role="gridcell"
            className={mergeClasses(
              styles.cell,
              stacked && !besideNext && !columns[position - 1]?.besideNext && styles.spanning,
              stacked && titleWhenStacked && styles.titledCell,
            )}
          >
            {stacked && titleWhenStacked ? (
              <>
                <span className={styles.label} aria-hidden>
                  {title}
                </span>
                <div className={styles.value}>{cell(row, tabIndex)}</div>
              </>
            ) : (
              cell(row, tabIndex)
            )}
          </div>
        ))
      )}
    </div>
  );
});

interface MissingProps {
  readonly failed: boolean;
  readonly onRetry: () => void;
  readonly tabIndex: 0 | -1;
}

function MissingRow({ failed, onRetry, tabIndex }: MissingProps) {
  const text = useText();
  if (!failed) return text('core.table.loading');
  return (
    <>
      {text('core.table.failed')}
      <Button size="small" tabIndex={tabIndex} onClick={onRetry}>
        {text('core.tryAgain')}
      </Button>
    </>
  );
}

/** Right and Enter move the focus from the row to its controls, Left and Escape back. */
function moveThroughControls(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: row, target } = event;
  const controls = [...row.querySelectorAll<HTMLElement>('a[href], button:not(:disabled), input, select')];
  const index = controls.indexOf(target as HTMLElement);
  if (target !== row && index === -1) return;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  let next: HTMLElement | undefined;
  if (key === 'ArrowRight' || (key === 'Enter' && target === row))
    next = controls[Math.min(index + 1, controls.length - 1)];
  else if (key === 'Escape') next = row;
  else if (key === 'ArrowLeft') next = index <= 0 ? row : controls[index - 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
