import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, makeStyles, mergeClasses, tokens } from '#core/ui';
import { I18n, useFormatFailure, useService, useText } from '#core/web';
import type { ImportColumnInfo, ImportRow, ImportSheetState } from '../../../contract/api.ts';
import { formatValue, formatWithCode } from '../../stores/format-value.ts';
import { isChosenConstant } from '../../stores/list-constants.ts';
import type { LengthColumn } from '../../stores/list-length-columns.ts';
import { FindingText } from '../finding-text.tsx';
import { ValueHint } from '../value-hint.tsx';
import { listCellFindings } from './grid-cell.tsx';
import type { ActiveCell } from './row-grid.tsx';
import { useGridStyles } from './use-grid-styles.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'start',
    gap: tokens.spacingHorizontalM,
    minHeight: '64px',
    padding: tokens.spacingHorizontalM,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    boxSizing: 'border-box',
  },
  text: { flexGrow: 1, flexBasis: '240px', minWidth: 0, overflowWrap: 'anywhere' },
  title: { margin: 0, color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  line: { margin: 0 },
  hint: { display: 'block', color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

export interface CellPanelProps {
  readonly cell: ActiveCell | undefined;
  readonly columns: readonly ImportColumnInfo[];
  /** The columns with lengths, each with the unit in which it is read. */
  readonly lengthColumns: readonly LengthColumn[];
  /** The values that all rows get. */
  readonly constants: ImportSheetState['constants'];
  readonly timeZone: string;
  readonly canEdit: boolean;
  /** Leaves a row out of the import, or includes it again. */
  readonly onLeaveOut: (row: ImportRow, leftOut: boolean) => Promise<void>;
}

/** The whole text of the selected cell, all that is wrong with it, and a button to edit it by touch. */
export const CellPanel = observer(function CellPanel({
  cell,
  columns,
  lengthColumns,
  constants,
  timeZone,
  canEdit,
  onLeaveOut,
}: CellPanelProps) {
  const t = useText();
  const styles = useStyles();
  const grid = useGridStyles();
  const { language } = useService(I18n);
  const column = cell && columns[cell.column];
  if (cell === undefined || column === undefined) return <div className={styles.root}>{t('imports.cell.none')}</div>;
  const { row } = cell;
  const isRemoved = row.state === 'REMOVED';
  const isLeftOut = row.state === 'LEFT_OUT';
  const formatOptions = { timeZone, language };
  const shownValue = (isRemoved ? row.before : row.values)?.[column.id];
  const value = formatWithCode(formatValue(shownValue, column, formatOptions), shownValue, column);
  const lengthColumn = lengthColumns.find((each) => each.column.id === column.id && each.unit !== each.columnUnit);
  const isConstant =
    !isRemoved &&
    isChosenConstant([{ sheet: row.sheet, constants }], {
      sheet: row.sheet,
      column: column.id,
      value: shownValue ?? null,
    });
  const before = row.changed.includes(column.id) ? formatValue(row.before?.[column.id], column, formatOptions) : '';
  return (
    <section className={styles.root} aria-label={t('imports.cell.label')}>
      <div className={styles.text}>
        <p className={styles.title}>
          {row.row === null
            ? column.header[language]
            : t('imports.cell.title', { column: column.header[language], row: row.row })}
        </p>
        <p className={styles.line}>{value === '' ? t('imports.cell.empty') : value}</p>
        {before === '' ? null : <p className={styles.title}>{t('imports.cell.before', { value: before })}</p>}
        {listCellFindings(row, column.id, cell.column).map((finding) => (
          <p
            key={JSON.stringify([finding.message, finding.values])}
            className={mergeClasses(styles.line, finding.severity === 'ERROR' ? grid.errorText : grid.warningText)}
          >
            <FindingText finding={finding} column={column} />
          </p>
        ))}
        {lengthColumn && !isRemoved ? (
          <p className={styles.title}>
            {t('imports.cell.converted', {
              unit: t(`core.system.unit.${lengthColumn.unit}`),
              read: t(`core.system.unit.${lengthColumn.columnUnit}`),
            })}
          </p>
        ) : null}
        {isConstant ? <p className={styles.title}>{t('imports.constants.source')}</p> : null}
        {canEdit && !isRemoved && !isLeftOut ? <ValueHint className={styles.hint} column={column} /> : null}
        {column.note ? <p className={styles.title}>{column.note[language]}</p> : null}
      </div>
      {canEdit && !isRemoved && !isLeftOut ? <Button onClick={cell.edit}>{t('imports.cell.editButton')}</Button> : null}
      {canEdit && !isRemoved ? <LeaveOutButton key={row.id} row={row} onLeaveOut={onLeaveOut} /> : null}
    </section>
  );
});

function LeaveOutButton({ row, onLeaveOut }: { readonly row: ImportRow } & Pick<CellPanelProps, 'onLeaveOut'>) {
  const t = useText();
  const grid = useGridStyles();
  const formatFailure = useFormatFailure();
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const isLeftOut = row.state === 'LEFT_OUT';
  const change = async (): Promise<void> => {
    setState({ busy: true });
    try {
      await onLeaveOut(row, !isLeftOut);
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  return (
    <>
      <Button disabled={state.busy} onClick={() => void change()}>
        {t(isLeftOut ? 'imports.cell.takeIn' : 'imports.cell.leaveOut')}
      </Button>
      {state.failure === undefined ? null : <span className={grid.errorText}>{formatFailure(state.failure)}</span>}
    </>
  );
}
