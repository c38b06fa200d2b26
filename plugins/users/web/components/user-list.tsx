import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { dayAt } from '#core';
import type { listPeople, listPersonChoices } from '#core/api';
import {
  Button,
  FailedState,
  Field,
  ListSkeleton,
  makeStyles,
  MessageBar,
  MessageBarBody,
  NoAccessState,
  PageTitle,
  ResourceView,
  SearchBox,
  Select,
  tokens,
} from '#core/ui';
import { ChangeSender, LastChangeLine, LastChangeStore, useAdminStyles, usePagedResource } from '#core/ui-data';
import {
  HttpClient,
  I18n,
  Navigation,
  useFormatFailure,
  useFormats,
  useResource,
  useService,
  useText,
} from '#core/web';
import { kindPages } from '#plugins/imports';
import type { exportUsers } from '../../contract/api.ts';
import { userPage } from '../../contract/index.ts';
import { useChosenColumns } from '../stores/use-chosen-columns.ts';
import { UserSelection } from '../stores/user-selection.ts';
import { useUserFilter } from '../stores/use-user-filter.ts';
import { BulkActions } from './bulk-actions.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { UserTable } from './user-table.tsx';

const importPage = kindPages.find(({ id }) => id === 'imports.user');

const useStyles = makeStyles({
  filters: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'end',
    gap: tokens.spacingHorizontalL,
    marginBottom: tokens.spacingVerticalM,
  },
  field: { flexGrow: 1, flexBasis: '180px', minWidth: 0, maxWidth: '320px', gridTemplateColumns: 'minmax(0, 1fr)' },
  search: { width: '100%', maxWidth: 'none' },
  summary: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalL,
    minHeight: '44px',
    marginBottom: tokens.spacingVerticalS,
  },
});

/** List of users with search, filters, sorting, bulk actions and export. */
export const UserList = observer(function UserList() {
  const t = useText();
  const styles = { ...useAdminStyles(), ...useStyles() };
  const http = useService(HttpClient);
  const navigation = useService(Navigation);
  const { language } = useService(I18n);
  const formats = useFormats();
  const formatFailure = useFormatFailure();
  const filter = useUserFilter();
  const [columns, setColumns] = useChosenColumns();
  const [selection] = useState(() => new UserSelection());
  const [lastChange] = useState(() => new LastChangeStore());
  const [exportState, setExportState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({
    busy: false,
  });
  const choices = useResource(
    (signal) => http.call<typeof listPersonChoices>('GET', '/api/people-choices', {}, { signal }),
    [http],
  );
  const { query } = filter;
  const people = usePagedResource(
    (page, signal) => http.call<typeof listPeople>('GET', '/api/people', { query: { ...query, ...page } }, { signal }),
    [http, query],
    'people',
  );
  const roles = choices.value?.roles ?? [];
  const exportUserList = async (): Promise<void> => {
    setExportState({ busy: true });
    try {
      const body = { ...query, language, day: dayAt(new Date(), formats.timeZone) };
      const { address: url, name } = await http.call<typeof exportUsers>('POST', '/api/users/export', { body });
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      setExportState({ busy: false });
    } catch (failure) {
      setExportState({ busy: false, failure });
    }
  };
  const importUrl = importPage && navigation.linkTo(importPage, {});
  return (
    <>
      <PageTitle
        title={t('users.title')}
        hint={t('users.hint')}
        actions={
          <>
            {importUrl === undefined ? null : (
              <Button onClick={() => navigation.goToUrl(importUrl)}>{t('users.import')}</Button>
            )}
            <Button onClick={() => void exportUserList()} disabled={exportState.busy}>
              {t('users.export')}
            </Button>
            <Button appearance="primary" onClick={() => navigation.goTo(userPage, {})}>
              {t('users.new')}
            </Button>
          </>
        }
      />
      <LastChangeLine lastChange={lastChange} />
      {exportState.failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(exportState.failure)}</MessageBarBody>
        </MessageBar>
      )}
      <div className={styles.filters}>
        <Field label={t('users.search')} className={styles.field}>
          <SearchBox
            className={styles.search}
            value={filter.text}
            maxLength={200}
            onChange={(_, { value }) => filter.set({ search: value })}
          />
        </Field>
        <Field label={t('users.column.status')} className={styles.field}>
          <Select
            value={filter.status ?? 'ALL'}
            onChange={(_, { value }) => filter.set({ status: value === 'ALL' ? '' : value })}
          >
            {(['ALL', 'ACTIVE', 'INACTIVE'] as const).map((option) => (
              <option key={option} value={option}>
                {t(`users.filter.${option}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('users.role')} className={styles.field}>
          <Select value={filter.role} onChange={(_, { value }) => filter.set({ role: value })}>
            <option value="">{t('users.filter.ALL')}</option>
            {roles.map(({ uid, name }) => (
              <option key={uid} value={uid}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <ColumnChoice chosen={columns} onChange={setColumns} />
      </div>
      {people.failure && people.value === undefined ? (
        people.failure.kind === 'noAccess' ? (
          <NoAccessState to={{ title: t('users.noAccess'), accessToRequest: 'userManagement' }} />
        ) : (
          <FailedState title={t('users.failedToLoad')} error={people.failure.cause} onRetry={people.retry} />
        )
      ) : (
        <ResourceView resource={people} waiting={<ListSkeleton />}>
          {({ total }) => (
            <>
              <div className={styles.summary}>
                <p role="status" className={styles.note}>
                  {t('users.count', { count: total, shown: formats.number(total) })}
                </p>
                <BulkActions
                  selection={selection}
                  roles={roles}
                  onChanged={(change, message, count) => {
                    people.load();
                    if (change === null) return;
                    new ChangeSender(http, lastChange, async () => people.load()).report([change], {
                      texts: { done: message, undone: `${message}Undone` },
                      values: { count },
                    });
                  }}
                />
              </div>
              <UserTable
                rows={people}
                columns={columns}
                selection={selection}
                sort={filter.sort}
                onSort={({ column, direction }) => filter.set({ sort: column, direction })}
              />
            </>
          )}
        </ResourceView>
      )}
    </>
  );
});
