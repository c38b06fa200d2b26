import { observer } from 'mobx-react-lite';
import { makeStyles, tokens } from '#core/ui';
import { useFormats, useText } from '#core/web';
import type { Import } from '../../contract/api.ts';
import { sumRows } from '../stores/import-steps.ts';

const useStyles = makeStyles({
  list: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: tokens.spacingHorizontalXL,
    rowGap: tokens.spacingVerticalS,
    margin: 0,
  },
  item: { display: 'flex', flexDirection: 'column-reverse' },
  count: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
  term: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
});

const rowCountNames = ['rows', 'added', 'changed', 'unchanged', 'removed', 'leftOut', 'withErrors'] as const;

export interface RowCountsProps {
  readonly currentImport: Pick<Import, 'sheets'>;
}

/** The numbers of rows that an import adds, changes, leaves unchanged and removes. */
export const RowCounts = observer(function RowCounts({ currentImport }: RowCountsProps) {
  const t = useText();
  const styles = useStyles();
  const formats = useFormats();
  return (
    <dl className={styles.list}>
      {rowCountNames
        .filter((count) => count !== 'leftOut' || sumRows(currentImport, count) > 0)
        .map((count) => (
          <div key={count} className={styles.item}>
            <dt className={styles.term}>{t(`imports.count.${count}`)}</dt>
            <dd className={styles.count}>{formats.number(sumRows(currentImport, count))}</dd>
          </div>
        ))}
    </dl>
  );
});
