import { observer } from 'mobx-react-lite';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import type { Import, ImportKindInfo, ImportProblem } from '../../contract/api.ts';
import { isChosenConstant } from '../stores/list-constants.ts';
import { formatValue } from '../stores/format-value.ts';
import { FindingText } from './finding-text.tsx';

const useStyles = makeStyles({
  text: {
    overflow: 'hidden',
    display: '-webkit-box',
    WebkitLineClamp: 2,
    WebkitBoxOrient: 'vertical',
    overflowWrap: 'anywhere',
  },
  error: { color: tokens.colorPaletteRedForeground2 },
  warning: { color: tokens.colorPaletteDarkOrangeForeground2 },
  place: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
});

export interface ProblemCellProps {
  readonly problem: ImportProblem;
  readonly kind: ImportKindInfo;
  readonly sheets: Import['sheets'];
  readonly timeZone: string;
}

/** A problem: its message, and below it the sheet, the column, the value and the first row. */
export const ProblemCell = observer(function ProblemCell({ problem, kind, sheets, timeZone }: ProblemCellProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const { finding, severity, value, firstRow } = problem;
  const sheet = kind.sheets.find(({ id }) => id === problem.sheet);
  const column = sheet?.columns.find(({ id }) => id === problem.column);
  const valueText = formatValue(value, column ?? { type: 'TEXT' }, { timeZone, language });
  const details = [
    severity === 'WARNING' ? t('imports.problems.warning') : '',
    kind.sheets.length > 1 ? (sheet?.name ?? problem.sheet) : '',
    column?.header[language] ?? '',
    valueText === '' ? '' : t('imports.problems.value', { value: valueText }),
    isChosenConstant(sheets, problem) ? t('imports.constants.source') : '',
    firstRow === null ? '' : t('imports.problems.firstRow', { row: firstRow }),
  ].filter((part) => part !== '');
  return (
    <>
      <span className={mergeClasses(styles.text, severity === 'ERROR' ? styles.error : styles.warning)}>
        <FindingText finding={finding} column={column} />
      </span>
      <span className={mergeClasses(styles.text, styles.place)} title={details.join(' · ')}>
        {details.join(' · ')}
      </span>
    </>
  );
});
