import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import type { RoleRow } from '#core/api';
import { Badge, Button, EmptyState, makeStyles, tokens, useRestoreFocusTarget } from '#core/ui';
import { DataTable, useProductFlags, type DataColumn, type DataTableSort, type PagedRows } from '#core/ui-data';
import { useFormats, useText } from '#core/web';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  second: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

export interface RoleTableProps {
  readonly rows: PagedRows<RoleRow>;
  readonly sort: DataTableSort;
  readonly onSort: (sort: DataTableSort) => void;
  readonly onEdit: (role: RoleRow) => void;
  readonly onStatus: (role: RoleRow) => void;
}

export const RoleTable = observer(function RoleTable({ rows, sort, onSort, onEdit, onStatus }: RoleTableProps) {
  const t = useText();
  const columns = useMemo(
    (): readonly DataColumn<RoleRow>[] => [
      {
        id: 'name',
        title: t('roles.name'),
        width: 'minmax(0, 2fr)',
        sortable: true,
        cell: ({ name, uid }) => <TwoLines first={name} second={uid} />,
      },
      {
        id: 'status',
        title: t('roles.statusTitle'),
        width: '112px',
        cell: ({ status }) => (
          <Badge appearance="tint" color={status === 'ACTIVE' ? 'success' : 'informative'}>
            {t(`roles.status.${status}`)}
          </Badge>
        ),
      },
      {
        id: 'people',
        title: t('roles.people'),
        width: '96px',
        sortable: true,
        cell: ({ people }) => <Count value={people} />,
      },
      {
        id: 'features',
        title: t('roles.features'),
        width: 'minmax(0, 2fr)',
        cell: ({ flags }) => <Features flags={flags} />,
      },
      {
        id: 'locations',
        title: t('roles.locations'),
        titleWhenStacked: true,
        width: 'minmax(0, 1fr)',
        cell: ({ allLocations, locationCount }) => (
          <TwoLines first={allLocations ? t('roles.all') : t('roles.locationCount', { count: locationCount })} />
        ),
      },
      {
        id: 'actions',
        title: t('roles.actions'),
        titleHidden: true,
        width: '216px',
        cell: (role, tabIndex) => <Actions role={role} tabIndex={tabIndex} onEdit={onEdit} onStatus={onStatus} />,
      },
    ],
    [t, onEdit, onStatus],
  );
  return (
    <DataTable
      label={t('roles.title')}
      rows={rows}
      columns={columns}
      rowHeightPx={56}
      narrow={{ belowPx: 760, rowHeightPx: 224 }}
      sort={sort}
      onSort={onSort}
      empty={<EmptyState title={t('roles.nothing')} message={t('roles.nothingHint')} />}
    />
  );
});

function TwoLines({ first, second }: { readonly first: string; readonly second?: string }) {
  const styles = useStyles();
  return (
    <>
      <div className={styles.truncated} title={first}>
        {first}
      </div>
      {second === undefined ? null : (
        <div className={styles.second}>
          <div className={styles.truncated} title={second}>
            {second}
          </div>
        </div>
      )}
    </>
  );
}

/** Excludes features of plugins that the product does not contain. */
function Features({ flags }: Pick<RoleRow, 'flags'>) {
  const t = useText();
  const productFlags = useProductFlags();
  const shownFlags = flags.filter((flag) => productFlags.has(flag));
  return (
    <TwoLines
      first={shownFlags.map((flag) => t(`roles.flag.${flag}`)).join(', ')}
      second={t('roles.featureCount', { count: shownFlags.length })}
    />
  );
}

const Count = observer(function Count({ value }: { readonly value: number }) {
  const t = useText();
  return <>{t('roles.peopleCount', { count: value, shown: useFormats().number(value) })}</>;
});

interface ActionsProps extends Pick<RoleTableProps, 'onEdit' | 'onStatus'> {
  readonly role: RoleRow;
  readonly tabIndex: 0 | -1;
}

function Actions({ role, tabIndex, onEdit, onStatus }: ActionsProps) {
  const t = useText();
  const styles = useStyles();
  const opener = useRestoreFocusTarget();
  const action = role.status === 'ACTIVE' ? 'deactivate' : 'activate';
  return (
    <div className={styles.actions}>
      <Button tabIndex={tabIndex} onClick={() => onEdit(role)} aria-label={t('roles.openOf', { name: role.name })}>
        {t('roles.open')}
      </Button>
      {role.builtIn ? null : (
        <Button
          {...opener}
          tabIndex={tabIndex}
          onClick={() => onStatus(role)}
          aria-label={t(`roles.${action}Of`, { name: role.name })}
        >
          {t(`roles.${action}`)}
        </Button>
      )}
    </div>
  );
}
