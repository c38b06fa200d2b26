import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { PersonColumn } from '#core';
import type { NamedMaster, Person } from '#core/api';
import { Badge, Checkbox, EmptyState, makeStyles, tokens } from '#core/ui';
import { DataTable, type DataColumn, type DataTableSort, type PagedRows } from '#core/ui-data';
import { I18n, Navigation, useFormats, useService, useText } from '#core/web';
import { userPage } from '../../contract/index.ts';
import type { UserSelection } from '../stores/user-selection.ts';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  link: {
    display: 'block',
    color: tokens.colorBrandForegroundLink,
    fontWeight: tokens.fontWeightSemibold,
    textDecorationLine: 'none',
    lineHeight: '44px',
    ':hover': { textDecorationLine: 'underline' },
  },
});

const widths: Readonly<Record<PersonColumn, string>> = {
  name: 'minmax(0, 1.6fr)',
  username: 'minmax(0, 1.8fr)',
  status: '112px',
  userType: 'minmax(0, 1fr)',
  accountType: 'minmax(0, 0.8fr)',
  createdAt: 'minmax(0, 1.5fr)',
  section: 'minmax(0, 1fr)',
  department: 'minmax(0, 1fr)',
  division: 'minmax(0, 1fr)',
  businessUnit: 'minmax(0, 1fr)',
  roles: 'minmax(0, 1.4fr)',
};

/** Columns whose values need no label in the narrow layout. */
const untitledColumns: ReadonlySet<PersonColumn> = new Set(['name', 'username', 'status']);

export interface UserTableProps {
  readonly rows: PagedRows<Person>;
  readonly columns: readonly PersonColumn[];
  readonly selection: UserSelection;
  readonly sort: DataTableSort;
  readonly onSort: (sort: DataTableSort) => void;
}

export const UserTable = observer(function UserTable({ rows, columns, selection, sort, onSort }: UserTableProps) {
  const t = useText();
  const dataColumns = useMemo(
    (): readonly DataColumn<Person>[] => [
      {
        id: 'select',
        title: t('users.select'),
        titleHidden: true,
        besideNext: true,
        width: '44px',
        cell: (person, tabIndex) => <SelectCell person={person} tabIndex={tabIndex} selection={selection} />,
      },
      ...columns.map((column): DataColumn<Person> => ({
        id: column,
        title: t(`users.column.${column}`),
        width: widths[column],
        sortable: true,
        titleWhenStacked: !untitledColumns.has(column),
        cell: (person, tabIndex) => <PersonCell person={person} column={column} tabIndex={tabIndex} />,
      })),
    ],
    [t, columns, selection],
  );
  return (
    <DataTable
      label={t('users.title')}
      rows={rows}
      columns={dataColumns}
      rowHeightPx={48}
      narrow={{ belowPx: 760, rowHeightPx: 72 + 26 * columns.length }}
      sort={sort}
      onSort={onSort}
      empty={<EmptyState title={t('users.empty')} message={t('users.emptyHint')} />}
    />
  );
});

interface CellProps {
  readonly person: Person;
  readonly tabIndex: 0 | -1;
}

const SelectCell = observer(function SelectCell({
  person,
  tabIndex,
  selection,
}: CellProps & Pick<UserTableProps, 'selection'>) {
  const t = useText();
  const isSelected = selection.has(person.uid);
  return (
    <Checkbox
      tabIndex={tabIndex}
      checked={isSelected}
      disabled={!isSelected && selection.isFull}
      aria-label={t('users.selectPerson', { name: person.name })}
      onChange={() => selection.toggle(person.uid, person.name)}
    />
  );
});

const PersonCell = observer(function PersonCell({
  person,
  column,
  tabIndex,
}: CellProps & { readonly column: PersonColumn }) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const formats = useFormats();
  const navigation = useService(Navigation);
  if (column === 'name')
    return (
      <Link
        className={styles.link}
        tabIndex={tabIndex}
        to={`${navigation.linkTo(userPage, {}) ?? ''}?person=${encodeURIComponent(person.uid)}`}
      >
        <div className={styles.truncated} title={person.name}>
          {person.name}
        </div>
      </Link>
    );
  if (column === 'status')
    return (
      <Badge appearance="tint" color={person.status === 'ACTIVE' ? 'success' : 'informative'}>
        {t(`users.status.${person.status}`)}
      </Badge>
    );
  const value =
    column === 'username'
      ? person.username
      : column === 'accountType'
        ? t(`users.accountType.${person.accountType}`)
        : column === 'createdAt'
          ? formats.instant(person.createdAt)
          : column === 'roles'
            ? person.roles.map(({ name }) => name).join(', ')
            : formatMaster(person[column], language);
  if (value === '') return null;
  return (
    <div className={styles.truncated} title={value}>
      {value}
    </div>
  );
});

/** The name of a master in the language of the reader. */
export const formatMaster = (master: NamedMaster | null, language: string): string =>
  master === null ? '' : language === 'fr' ? (master.frenchName ?? master.name) : master.name;
