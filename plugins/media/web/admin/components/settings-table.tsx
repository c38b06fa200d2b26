import type { ReactNode } from 'react';
import { makeStyles, tokens } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  table: {
    width: '100%',
    borderCollapse: 'collapse',
    '& th, & td': {
      padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
      textAlign: 'start',
      verticalAlign: 'top',
      overflowWrap: 'anywhere',
      borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    },
    '& thead th': { color: tokens.colorNeutralForeground3, fontWeight: tokens.fontWeightRegular, borderTop: 'none' },
    '& tbody th': { fontWeight: tokens.fontWeightSemibold, width: '34%' },
    // Cells are stacked, each with the title of its column.
    '@media (max-width: 719px)': {
      '& thead': { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
      '& tr': {
        display: 'block',
        paddingBlock: tokens.spacingVerticalS,
        borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
      },
      '& tbody th': { display: 'block', width: 'auto', border: 'none', padding: 0 },
      '& td': { display: 'flex', columnGap: tokens.spacingHorizontalS, border: 'none', padding: 0 },
      '& td::before': {
        content: 'attr(data-title)',
        flexShrink: 0,
        color: tokens.colorNeutralForeground3,
      },
    },
  },
});

export interface SettingRow {
  readonly id: string;
  readonly name: ReactNode;
  readonly value: ReactNode;
  readonly source: ReactNode;
  /** The last change of the setting. */
  readonly more?: ReactNode;
}

export interface SettingsTableProps {
  /** Id of the heading. */
  readonly labelledBy: string;
  readonly rows: readonly SettingRow[];
  /** Title of the column `more`, which is hidden without a title. */
  readonly moreTitle?: string;
}

/** Table of settings with their effective values and sources. */
export function SettingsTable({ labelledBy, rows, moreTitle }: SettingsTableProps) {
  const t = useText();
  const styles = useStyles();
  const [name, value, source] = [
    t('media.settings.column.name'),
    t('media.settings.column.value'),
    t('media.settings.column.source'),
  ];
  return (
    <table className={styles.table} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">{value}</th>
          <th scope="col">{source}</th>
          {moreTitle === undefined ? null : <th scope="col">{moreTitle}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{row.name}</th>
            <td data-title={value}>{row.value}</td>
            <td data-title={source}>{row.source}</td>
            {moreTitle === undefined ? null : <td data-title={moreTitle}>{row.more}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
