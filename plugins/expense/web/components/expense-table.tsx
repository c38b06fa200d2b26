import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import { Badge, EmptyState, makeStyles, mergeClasses, tokens } from '#core/ui';
import { DataTable, type DataColumn, type PagedRows } from '#core/ui-data';
import { Locations, RouteLink, useService, useText } from '#core/web';
import type { ExpenseEstimation } from '../../contract/api.ts';
import { estimationAdmin } from '../../contract/routes.ts';
import { expenseFigures } from '../../contract/values.ts';
import { useFormatFigure } from '../stores/use-format-figure.ts';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  strong: { fontWeight: tokens.fontWeightSemibold },
  second: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  figure: { fontVariantNumeric: 'tabular-nums' },
});

export interface ExpenseTableProps {
  readonly rows: PagedRows<ExpenseEstimation>;
}

/** Table of sites with their estimations. */
export const ExpenseTable = observer(function ExpenseTable({ rows }: ExpenseTableProps) {
  const t = useText();
  const columns = useMemo(
    (): readonly DataColumn<ExpenseEstimation>[] => [
      {
        id: 'site',
        title: t('expense.site'),
        width: 'minmax(0, 1.6fr)',
        cell: ({ location }) => <SiteName uid={location} />,
      },
      ...expenseFigures.map((figure, index) => ({
        id: figure,
        title: t(`expense.short.${figure}`),
        labelled: true,
        width: 'minmax(0, 1fr)',
        cell: ({ [figure]: value }: ExpenseEstimation) =>
          value !== null ? <Figure value={value} /> : index === 0 ? <Missing /> : null,
      })),
      {
        id: 'actions',
        title: t('expense.actions'),
        titleHidden: true,
        width: '88px',
        cell: ({ location }, tabIndex) => <EditLink uid={location} tabIndex={tabIndex} />,
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('expense.title')}
      rows={rows}
      columns={columns}
      rowHeightPx={56}
      narrow={{ belowPx: 688, rowHeightPx: 216 }}
      empty={<EmptyState title={t('expense.nothing')} message={t('expense.nothingHint')} />}
    />
  );
});

interface FigureProps {
  readonly value: number;
}

const Figure = observer(function Figure({ value }: FigureProps) {
  const styles = useStyles();
  const format = useFormatFigure();
  return <span className={styles.figure}>{format(value)}</span>;
});

function Missing() {
  const t = useText();
  return (
    <Badge appearance="tint" color="warning">
      {t('expense.missing')}
    </Badge>
  );
}

const SiteName = observer(function SiteName({ uid }: { readonly uid: string }) {
  const styles = useStyles();
  const location = useService(Locations).find(uid);
  const name = location?.name ?? uid;
  return (
    <>
      <div className={mergeClasses(styles.truncated, styles.strong)} title={name}>
        {name}
      </div>
      <div className={mergeClasses(styles.truncated, styles.second)}>{uid}</div>
    </>
  );
});

const EditLink = observer(function EditLink({ uid, tabIndex }: { readonly uid: string; readonly tabIndex: 0 | -1 }) {
  const t = useText();
  const name = useService(Locations).find(uid)?.name ?? uid;
  return (
    <RouteLink
      to={estimationAdmin}
      search={`location=${encodeURIComponent(uid)}`}
      tabIndex={tabIndex}
      aria-label={t('expense.editOne', { name })}
    >
      {t('expense.edit')}
    </RouteLink>
  );
});
