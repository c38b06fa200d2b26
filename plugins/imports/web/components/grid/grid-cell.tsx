import { useRef, type Ref } from 'react';
import { mergeClasses } from '#core/ui';
import { I18n, useService } from '#core/web';
import type { ImportColumnInfo, ImportRow } from '../../../contract/api.ts';
import { formatValue, formatWithCode } from '../../stores/format-value.ts';
import { FindingText } from '../finding-text.tsx';
import { CellEditor, type CellEditing } from './cell-editor.tsx';
import type { useGridStyles } from './use-grid-styles.ts';

export interface GridCellProps {
  readonly styles: ReturnType<typeof useGridStyles>;
  readonly row: ImportRow;
  readonly column: ImportColumnInfo;
  readonly index: number;
  readonly leftPx: number;
  readonly widthPx: number;
  readonly timeZone: string;
  readonly isActive: boolean;
  readonly canEdit: boolean;
  /** The saved text. It is shown until the row is loaded again. */
  readonly savedText: string | undefined;
  readonly editing: CellEditing | undefined;
  readonly activeCellRef: Ref<HTMLDivElement>;
  readonly onSelect: () => void;
  readonly onEdit: () => void;
}

/** Findings that a cell shows. Those of the whole row are shown by its first cell. */
export const listCellFindings = ({ findings }: ImportRow, column: string, index: number) =>
  findings.filter((finding) => finding.column === column || (index === 0 && finding.column === null));

/** One value, with the value that it replaces, if any, and its first problem. */
export function GridCell({
  styles,
  row,
  column,
  index,
  leftPx,
  widthPx,
  timeZone,
  isActive,
  canEdit,
  savedText,
  editing,
  activeCellRef,
  onSelect,
  onEdit,
}: GridCellProps) {
  const wasFocused = useRef(false);
  const { language } = useService(I18n);
  const { id } = column;
  const formatOptions = { timeZone, language };
  const findings = savedText === undefined ? listCellFindings(row, id, index) : [];
  const isError = findings.some(({ severity }) => severity === 'ERROR');
  const isChanged = row.before !== null && row.changed.includes(id) && !isError;
  const shownValue = row.state === 'REMOVED' ? row.before?.[id] : id in row.values ? row.values[id] : row.before?.[id];
  const text = savedText ?? formatValue(shownValue, column, formatOptions);
  const old = isChanged ? formatValue(row.before?.[id], column, formatOptions) : '';
  const [firstFinding] = findings;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid handles the keys of its active cell
    <div
      role="gridcell"
      ref={isActive ? activeCellRef : undefined}
      aria-colindex={index + 2}
      aria-invalid={isError || undefined}
      tabIndex={isActive ? 0 : -1}
      title={editing ? undefined : formatWithCode(text, shownValue, column)}
      className={mergeClasses(
        styles.cell,
        isError ? styles.error : findings.length > 0 ? styles.warning : isChanged && styles.changed,
        isActive && styles.active,
      )}
      style={{ left: `${leftPx}px`, width: `${widthPx}px` }}
      onPointerDown={({ currentTarget }) => {
        wasFocused.current = currentTarget === document.activeElement;
      }}
      onClick={() => {
        if (editing) return;
        if (isActive && canEdit && wasFocused.current) onEdit();
        else onSelect();
      }}
    >
      {editing ? (
        <CellEditor column={column} editing={editing} />
      ) : (
        <div className={styles.line}>
          {isChanged ? (
            <>
              <del className={styles.old}>{old === '' ? '–' : old}</del>
              {' → '}
              <ins>{text === '' ? '–' : text}</ins>
            </>
          ) : (
            text
          )}
        </div>
      )}
      {firstFinding ? (
        <div className={mergeClasses(styles.message, isError ? styles.errorText : styles.warningText)}>
          <FindingText finding={firstFinding} column={column} />
        </div>
      ) : null}
    </div>
  );
}
