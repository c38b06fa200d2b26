import { observer } from 'mobx-react-lite';
import { makeStyles, mergeClasses, Select, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import type { ImportSheetInfo, ImportSheetState } from '../../contract/api.ts';
import type { ColumnChoice } from '../stores/import-drafts.ts';

const stacked = '@media (max-width: 767px)';

const useStyles = makeStyles({
  table: { width: '100%', borderCollapse: 'collapse', [stacked]: { display: 'block' } },
  head: {
    [stacked]: { position: 'absolute', clipPath: 'inset(50%)', width: '1px', height: '1px', overflow: 'hidden' },
  },
  body: { [stacked]: { display: 'block' } },
  row: {
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    [stacked]: { display: 'grid', rowGap: tokens.spacingVerticalXS, padding: `${tokens.spacingVerticalS} 0` },
  },
  cell: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    textAlign: 'start',
    overflowWrap: 'anywhere',
    [stacked]: { display: 'block', padding: 0 },
  },
  header: { fontWeight: tokens.fontWeightSemibold },
  examples: { color: tokens.colorNeutralForeground3 },
  select: { width: '100%', minWidth: 0 },
});

export interface ColumnTableProps {
  readonly info: ImportSheetInfo;
  readonly sheet: ImportSheetState;
  readonly choice: ColumnChoice;
  readonly disabled: boolean;
  readonly onChoose: (header: string, column: string | null) => void;
}

/** The headers of a sheet with examples, the column of each, and why it was proposed. */
export const ColumnTable = observer(function ColumnTable({
  info,
  sheet,
  choice,
  disabled,
  onChoose,
}: ColumnTableProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const headers = sheet.headers
    .filter(({ header }) => header !== '')
    .toSorted((a, b) => Number(a.by === 'HEADER') - Number(b.by === 'HEADER'));
  return (
    <table className={styles.table} aria-label={t('imports.columns.table', { sheet: info.name })}>
      <thead className={styles.head}>
        <tr>
          {['header', 'examples', 'column', 'reason'].map((part) => (
            <th key={part} scope="col" className={styles.cell}>
              {t(`imports.columns.head.${part}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.body}>
        {headers.map(({ header, column: proposed, by, examples }) => {
          const column = choice[header] ?? null;
          const reason = column === null ? 'IGNORED' : column === proposed && by !== null ? by : 'CHOSEN';
          return (
            <tr key={header} className={styles.row}>
              <th scope="row" className={mergeClasses(styles.cell, styles.header)}>
                {header}
              </th>
              <td className={mergeClasses(styles.cell, styles.examples)}>{examples.join(' · ')}</td>
              <td className={styles.cell}>
                <Select
                  className={styles.select}
                  aria-label={t('imports.columns.columnOf', { header })}
                  value={column ?? ''}
                  disabled={disabled}
                  onChange={(_, { value }) => onChoose(header, value === '' ? null : value)}
                >
                  <option value="">{t('imports.columns.ignore')}</option>
                  {info.columns.map(({ id, header: name, required, key }) => (
                    <option key={id} value={id}>
                      {name[language] + (required || key ? ' *' : '')}
                    </option>
                  ))}
                </Select>
              </td>
              <td className={styles.cell}>{t(`imports.columns.by.${reason}`)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
});
