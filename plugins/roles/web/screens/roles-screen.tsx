import { roleSorts, roleStatuses } from '#core';
import { observer } from 'mobx-react-lite';
import { useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useState } from 'react';
import type { listRoles, RoleRow } from '#core/api';
import {
  Button,
  Field,
  ListSkeleton,
  makeStyles,
  Menu,
  MenuButton,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  PageTitle,
  ResourceView,
  SearchBox,
  Select,
  tokens,
} from '#core/ui';
import { LastChangeLine, useAdminStyles, usePagedResource, type DataTableSort } from '#core/ui-data';
import { HttpClient, Locations, useFormats, useResource, useService, useText } from '#core/web';
import { roleTemplates } from '../../common/features.ts';
import { RoleEditor } from '../components/role-editor.tsx';
import { RoleTable } from '../components/role-table.tsx';
import { StatusDialog } from '../components/status-dialog.tsx';
import { RolesStore } from '../stores/roles-store.ts';

const useStyles = makeStyles({
  filters: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'end',
    gap: tokens.spacingHorizontalL,
    marginBottom: tokens.spacingVerticalL,
  },
  field: { flexGrow: 1, flexBasis: '180px', minWidth: 0, maxWidth: '320px', gridTemplateColumns: 'minmax(0, 1fr)' },
  search: { width: '100%', maxWidth: 'none' },
});

/** Lists and edits roles. The URL contains the filters, and the edited role or the template of a new role. */
const RolesScreen = observer(function RolesScreen() {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const http = useService(HttpClient);
  const locations = useService(Locations);
  const formats = useFormats();
  const [searchParams, setSearchParams] = useSearchParams();
  const [sort, setSort] = useState<DataTableSort>({ column: 'name', direction: 'ascending' });
  const [statusDialogRole, setStatusDialogRole] = useState<RoleRow>();
  const text = searchParams.get('search') ?? '';
  const status = roleStatuses.find((option) => option === searchParams.get('status'));
  const template = roleTemplates.find(({ id }) => id === searchParams.get('new'));
  const editedUid = template ? undefined : (searchParams.get('role') ?? undefined);
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const setParameter = (name: string, value: string | undefined, options: { readonly replace: boolean }): void => {
    const newParams = new URLSearchParams(searchParams);
    if (value === undefined || value === '') newParams.delete(name);
    else newParams.set(name, value);
    setSearchParams(newParams, options);
  };
  const pages = usePagedResource(
    (page, signal) =>
      http.call<typeof listRoles>(
        'GET',
        '/api/roles',
        {
          query: {
            ...page,
            ...(text === '' ? {} : { text }),
            ...(status === undefined ? {} : { status }),
            sort: roleSorts.find((column) => column === sort.column) ?? 'name',
            order: sort.direction,
          },
        },
        { signal },
      ),
    [http, text, status, sort],
    'roles',
  );
  const [store] = useState(() => new RolesStore(http, async () => pages.load()));
  const editedRole = useResource(
    (signal) => (editedUid === undefined ? undefined : store.load(editedUid, signal)),
    [store, editedUid],
  );
  const closeEditor = (): void => {
    const newParams = new URLSearchParams(searchParams);
    newParams.delete('new');
    newParams.delete('role');
    setSearchParams(newParams);
  };
  const openEditor = useMemo(
    () => (role: RoleRow) =>
      setSearchParams((previous) => {
        const newParams = new URLSearchParams(previous);
        newParams.set('role', role.uid);
        return newParams;
      }),
    [setSearchParams],
  );

  if (template)
    return (
      <RoleEditor
        key={template.id}
        role={undefined}
        template={template.flags}
        templateName={template.id === 'empty' ? '' : t(`roles.template.${template.id}`)}
        store={store}
        onClose={closeEditor}
      />
    );
  if (editedUid !== undefined)
    return locations.state === 'loading' ? (
      <ListSkeleton />
    ) : (
      <ResourceView resource={editedRole} noAccessTo={noAccess} waiting={<ListSkeleton />}>
        {(role) =>
          role.uid === editedUid ? (
            <RoleEditor
              key={`${role.uid} ${role.version}`}
              role={role}
              template={[]}
              templateName=""
              store={store}
              onClose={closeEditor}
            />
          ) : (
            <ListSkeleton />
          )
        }
      </ResourceView>
    );
  return (
    <>
      <PageTitle
        title={t('roles.title')}
        hint={t('roles.hint')}
        actions={
          <Menu>
            <MenuTrigger disableButtonEnhancement>
              <MenuButton appearance="primary">{t('roles.new')}</MenuButton>
            </MenuTrigger>
            <MenuPopover>
              <MenuList>
                {roleTemplates.map(({ id }) => (
                  <MenuItem key={id} onClick={() => setParameter('new', id, { replace: false })}>
                    {t(`roles.template.${id}`)}
                  </MenuItem>
                ))}
              </MenuList>
            </MenuPopover>
          </Menu>
        }
      />
      <LastChangeLine lastChange={store.lastChange} />
      <div className={styles.filters}>
        <Field label={t('roles.search')} className={styles.field}>
          <SearchBox
            className={styles.search}
            value={text}
            maxLength={200}
            onChange={(_, { value }) => setParameter('search', value, { replace: true })}
          />
        </Field>
        <Field label={t('roles.statusTitle')} className={styles.field}>
          <Select
            value={status ?? 'ALL'}
            onChange={(_, { value }) => setParameter('status', value === 'ALL' ? undefined : value, { replace: true })}
          >
            {(['ALL', ...roleStatuses] as const).map((option) => (
              <option key={option} value={option}>
                {t(`roles.status.${option}`)}
              </option>
            ))}
          </Select>
        </Field>
        {text === '' && status === undefined ? null : (
          <Button onClick={() => setSearchParams({}, { replace: true })}>{t('roles.clear')}</Button>
        )}
      </div>
      <ResourceView resource={pages} noAccessTo={noAccess} waiting={<ListSkeleton />}>
        {({ total }) => (
          <>
            <p role="status" className={styles.note}>
              {t('roles.found', { count: total, shown: formats.number(total) })}
            </p>
            <RoleTable rows={pages} sort={sort} onSort={setSort} onEdit={openEditor} onStatus={setStatusDialogRole} />
          </>
        )}
      </ResourceView>
      {statusDialogRole ? (
        <StatusDialog role={statusDialogRole} store={store} onClose={() => setStatusDialogRole(undefined)} />
      ) : null}
    </>
  );
});
export default RolesScreen;

const noAccess = 'application';
