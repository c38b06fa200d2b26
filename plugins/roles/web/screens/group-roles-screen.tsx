import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import type { deleteGroupRole, GroupRole, GroupRoleChoices, listGroupRoleChoices, listGroupRoles } from '#core/api';
import { Button, EmptyState, ListSkeleton, MessageBar, MessageBarBody, PageTitle, ResourceView } from '#core/ui';
import {
  ChangeSender,
  DataTable,
  LastChangeLine,
  LastChangeStore,
  useAdminStyles,
  usePagedResource,
  type DataColumn,
} from '#core/ui-data';
import { HttpClient, ProductInfo, useFormatFailure, useFormats, useResource, useService, useText } from '#core/web';
import { GroupRoleForm } from '../components/group-role-form.tsx';

/** Lists the roles that groups of identity providers assign. Rows are added and removed, never changed. */
const GroupRolesScreen = observer(function GroupRolesScreen() {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const formatFailure = useFormatFailure();
  const http = useService(HttpClient);
  const { login } = useService(ProductInfo);
  const rows = usePagedResource(
    (page, signal) => http.call<typeof listGroupRoles>('GET', '/api/group-roles', { query: page }, { signal }),
    [http],
    'group-roles',
  );
  const choices = useResource(
    (signal) => http.call<typeof listGroupRoleChoices>('GET', '/api/group-role-choices', {}, { signal }),
    [http],
  );
  const [lastChange] = useState(() => new LastChangeStore());
  const [sender] = useState(() => new ChangeSender(http, lastChange, async () => rows.load()));
  const [isAdding, setIsAdding] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const columns = useMemo((): readonly DataColumn<GroupRole>[] => {
    const labels = new Map(login.providers.map(({ id, label }) => [id, label]));
    const remove = async ({ uid, group, role }: GroupRole): Promise<void> => {
      setFailure(undefined);
      try {
        await sender.send(
          () =>
            http.call<typeof deleteGroupRole>('POST', '/api/group-roles/:groupRole/delete', {
              params: { groupRole: uid },
              body: {},
            }),
          {
            texts: { done: 'roles.done.groupRemoved', undone: 'roles.undone.groupRemoved' },
            values: { group, role: role.name },
          },
        );
      } catch (cause) {
        setFailure(cause);
      }
    };
    return [
      { id: 'group', title: t('roles.groups.group'), width: 'minmax(0, 2fr)', cell: ({ group }) => group },
      {
        id: 'provider',
        title: t('roles.groups.provider'),
        width: 'minmax(0, 1fr)',
        cell: ({ provider }) => labels.get(provider) ?? provider,
      },
      {
        id: 'role',
        title: t('roles.role'),
        width: 'minmax(0, 2fr)',
        cell: ({ role }) => (role.status === 'ACTIVE' ? role.name : t('roles.groups.inactive', { role: role.name })),
      },
      {
        id: 'actions',
        title: t('roles.actions'),
        titleHidden: true,
        width: '128px',
        cell: (row, tabIndex) => (
          <Button
            tabIndex={tabIndex}
            aria-label={t('roles.groups.removeOf', { group: row.group, role: row.role.name })}
            onClick={() => void remove(row)}
          >
            {t('roles.groups.remove')}
          </Button>
        ),
      },
    ];
  }, [t, login, sender, http]);
  const providers = choices.value?.providers.filter(({ claim }) => claim !== null) ?? [];
  return (
    <>
      <PageTitle
        title={t('roles.groups.title')}
        hint={t('roles.groups.hint')}
        actions={
          <Button appearance="primary" disabledFocusable={providers.length === 0} onClick={() => setIsAdding(true)}>
            {t('roles.groups.add')}
          </Button>
        }
      />
      <LastChangeLine lastChange={lastChange} />
      {failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
        </MessageBar>
      )}
      {choices.value ? <ProviderNote choices={choices.value} /> : null}
      <ResourceView
        resource={rows}
        noAccessTo={{ title: t('roles.groups.title'), accessToRequest: 'userManagement' }}
        waiting={<ListSkeleton />}
      >
        {({ total }) => (
          <>
            <p role="status" className={styles.note}>
              {t('roles.groups.found', { count: total, shown: formats.number(total) })}
            </p>
            <DataTable
              label={t('roles.groups.title')}
              rows={rows}
              columns={columns}
              rowHeightPx={56}
              narrow={{ belowPx: 760, rowHeightPx: 184 }}
              empty={
                <EmptyState
                  title={t('roles.groups.none')}
                  message={t(providers.length === 0 ? 'roles.groups.noneNotSetUp' : 'roles.groups.noneHint')}
                />
              }
            />
          </>
        )}
      </ResourceView>
      {isAdding && choices.value ? (
        <GroupRoleForm choices={choices.value} sender={sender} onClose={() => setIsAdding(false)} />
      ) : null}
    </>
  );
});
export default GroupRolesScreen;

/** Lists the claims that contain groups, or explains that no provider is configured for groups. */
function ProviderNote({ choices: { providers } }: { readonly choices: GroupRoleChoices }) {
  const t = useText();
  const styles = useAdminStyles();
  const { login } = useService(ProductInfo);
  const claims = providers.flatMap(({ id, claim }) =>
    claim === null ? [] : [`${login.providers.find((option) => option.id === id)?.label ?? id}: ${claim}`],
  );
  return (
    <p className={styles.note}>
      {claims.length === 0 ? t('roles.groups.notSetUp') : t('roles.groups.claims', { claims: claims.join(', ') })}
    </p>
  );
}
