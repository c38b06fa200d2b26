import { observer } from 'mobx-react-lite';
import { Checkbox, makeStyles, mergeClasses, Select, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState } from '../../contract/api.ts';
import { mustConfirmSynonym } from '../../common/match-headers.ts';
import type { ColumnChoice } from '../stores/import-drafts.ts';
import type { UnitMismatch } from '../stores/list-unit-mismatches.ts';

const stackedQuery = '@media (max-width: 767px)';

const useStyles = makeStyles({
  table: { width: '100%', borderCollapse: 'collapse', [stackedQuery]: { display: 'block' } },
  head: {
    [stackedQuery]: { position: 'absolute', clipPath: 'inset(50%)', width: '1px', height: '1px', overflow: 'hidden' },
  },
  body: { [stackedQuery]: { display: 'block' } },
  row: {
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    [stackedQuery]: { display: 'grid', rowGap: tokens.spacingVerticalXS, padding: `${tokens.spacingVerticalS} 0` },
  },
  cell: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    textAlign: 'start',
    overflowWrap: 'anywhere',
    [stackedQuery]: { display: 'block', padding: 0 },
  },
  header: { fontWeight: tokens.fontWeightSemibold },
  examples: { color: tokens.colorNeutralForeground3 },
  column: { width: '26%' },
  reason: { width: '22%' },
  select: { width: '100%', minWidth: 0 },
  unit: { margin: 0, color: tokens.colorStatusWarningForeground1 },
  words: { margin: 0, color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

export interface ColumnTableProps {
  readonly sheetInfo: ImportSheetInfo;
  readonly sheet: ImportSheetState;
  readonly choice: ColumnChoice;
  readonly unitMismatches: readonly UnitMismatch[];
  readonly disabled: boolean;
  readonly onChoose: (header: string, column: string | null) => void;
  /** Confirms that values are in the unit of the column although the header names another one; null withdraws that. */
  readonly onConfirm: (header: string, column: string | null) => void;
}

/** The headers of a sheet with examples, the column of each, and why it was proposed. */
export const ColumnTable = observer(function ColumnTable({
  sheetInfo,
  sheet,
  choice,
  unitMismatches,
  disabled,
  onChoose,
  onConfirm,
}: ColumnTableProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const headers = sheet.headers
    .filter(({ header }) => header !== '')
    .toSorted((a, b) => Number(a.by === 'HEADER') - Number(b.by === 'HEADER'));
  return (
    <table className={styles.table} aria-label={t('imports.columns.table', { sheet: sheetInfo.name })}>
      <thead className={styles.head}>
        <tr>
          {['header', 'examples', 'column', 'reason'].map((heading) => (
            <th
              key={heading}
              scope="col"
              className={mergeClasses(
                styles.cell,
                heading === 'column' && styles.column,
                heading === 'reason' && styles.reason,
              )}
            >
              {t(`imports.columns.head.${heading}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.body}>
        {headers.map((match) => {
          const { header, column: proposedColumn, by, examples } = match;
          const column = choice[header] ?? null;
          const columnInfo = sheetInfo.columns.find(({ id }) => id === column);
          const matchedBy = column === proposedColumn && by !== null ? by : 'CHOSEN';
          const mustCheck =
            columnInfo !== undefined && matchedBy === 'SYNONYM' && mustConfirmSynonym(match, columnInfo);
          const checkReason = columnInfo?.confirmsSynonyms === true ? 'MEANING' : 'UNIT';
          const mismatch = unitMismatches.find((each) => each.header === header);
          const reason = columnInfo === undefined ? 'IGNORED' : mustCheck ? checkReason : matchedBy;
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
                  {sheetInfo.columns.map(({ id, header: name, required, key }) => (
                    <option key={id} value={id}>
                      {name[language] + (required || key ? ' *' : '')}
                    </option>
                  ))}
                </Select>
                <Words column={columnInfo} />
              </td>
              <td className={styles.cell}>
                {t(`imports.columns.by.${reason}`)}
                {mismatch ? (
                  <>
                    <p className={styles.unit}>
                      {t('imports.columns.unit', { unit: mismatch.unit, read: mismatch.read })}
                    </p>
                    <Checkbox
                      label={t('imports.columns.confirmUnit', { header, read: mismatch.read })}
                      checked={mismatch.isConfirmed}
                      disabled={disabled}
                      onChange={(_, { checked }) => onConfirm(header, checked === true ? mismatch.column.id : null)}
                    />
                  </>
                ) : null}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
});

/** Lists the plain words that cells of a column with codes may contain. */
const Words = observer(function Words({ column }: { readonly column: ImportColumnInfo | undefined }) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const words = column?.values.filter(({ value, label }) => value !== label[language]) ?? [];
  return words.length === 0 ? null : (
    <p className={styles.words}>
      {t('imports.columns.words', { words: words.map(({ label }) => label[language]).join(', ') })}
    </p>
  );
});
