import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import { Button, EmptyState, makeStyles, mergeClasses, tokens, useRestoreFocusTarget } from '#core/ui';
import { DataTable, type DataColumn, type DataTableSort, type PagedRows } from '#core/ui-data';
import { RouteLink, useFormats, useText } from '#core/web';
import type { MasterData } from '../../contract/api/master-data.ts';
import { masterAdmin } from '../../contract/routes.ts';
import { StatusBadge } from './status-badge.tsx';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  strong: { fontWeight: tokens.fontWeightSemibold },
  second: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

export interface MasterTableProps {
  readonly rows: PagedRows<MasterData>;
  readonly sort: DataTableSort | undefined;
  readonly onSort: (sort: DataTableSort) => void;
  readonly onToggle: (master: MasterData) => void;
}

/** Table of masters. */
export const MasterTable = observer(function MasterTable({ rows, sort, onSort, onToggle }: MasterTableProps) {
  const t = useText();
  const columns = useMemo(
    (): readonly DataColumn<MasterData>[] => [
      {
        id: 'name',
        title: t('masters.name'),
        width: 'minmax(0, 1.6fr)',
        sortable: true,
        cell: ({ name, frenchName }) => <TwoTexts first={name} second={frenchName ?? ''} strong />,
      },
      {
        id: 'type',
        title: t('masters.type'),
        width: 'minmax(0, 1.2fr)',
        cell: ({ type, parent }) => <TwoTexts first={t(`masters.type.${type}`)} second={parent?.name ?? ''} />,
      },
      {
        id: 'sequence',
        title: t('masters.sequence'),
        titleWhenStacked: true,
        width: 'minmax(0, 0.6fr)',
        sortable: true,
        cell: ({ sequence }) => <Sequence value={sequence} />,
      },
      {
        id: 'status',
        title: t('masters.status'),
        width: '96px',
        cell: ({ active }) => <StatusBadge active={active} />,
      },
      {
        id: 'actions',
        title: t('masters.actions'),
        titleHidden: true,
        width: '200px',
        cell: (master, tabIndex) => <Actions master={master} tabIndex={tabIndex} onToggle={onToggle} />,
      },
    ],
    [t, onToggle],
  );
  return (
    <DataTable
      label={t('masters.title')}
      rows={rows}
      columns={columns}
      rowHeightPx={56}
      narrow={{ belowPx: 688, rowHeightPx: 212 }}
      sort={sort}
      onSort={onSort}
      empty={<EmptyState title={t('masters.nothing')} message={t('masters.nothingHint')} />}
    />
  );
});

const Sequence = observer(function Sequence({ value }: { readonly value: number }) {
  return useFormats().number(value);
});

interface TwoTextsProps {
  readonly first: string;
  readonly second: string;
  readonly strong?: boolean;
}

function TwoTexts({ first, second, strong = false }: TwoTextsProps) {
  const styles = useStyles();
  return (
    <>
      <div className={mergeClasses(styles.truncated, strong && styles.strong)} title={first}>
        {first}
      </div>
      {second === '' ? null : (
        <div className={mergeClasses(styles.truncated, styles.second)} title={second}>
          {second}
        </div>
      )}
    </>
  );
}

interface ActionsProps extends Pick<MasterTableProps, 'onToggle'> {
  readonly master: MasterData;
  readonly tabIndex: 0 | -1;
}

function Actions({ master, tabIndex, onToggle }: ActionsProps) {
  const styles = useStyles();
  const t = useText();
  const opener = useRestoreFocusTarget();
  const { uid, name, active } = master;
  return (
    <div className={styles.actions}>
      <RouteLink
        to={masterAdmin}
        search={`master=${encodeURIComponent(uid)}`}
        tabIndex={tabIndex}
        aria-label={t('masters.editOne', { name })}
      >
        {t('masters.edit')}
      </RouteLink>
      <Button
        {...opener}
        tabIndex={tabIndex}
        aria-label={t(active ? 'masters.deactivateOne' : 'masters.activateOne', { name })}
        onClick={() => onToggle(master)}
      >
        {t(active ? 'masters.deactivate' : 'masters.activate')}
      </Button>
    </div>
  );
}
