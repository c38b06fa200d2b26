import { observer } from 'mobx-react-lite';
import { Suspense } from 'react';
import type { LocationNode } from '#core';
import type { LocationUse } from '#core/api';
import { LoadingState, ResourceView } from '#core/ui';
import { ConfirmDialog, useAdminStyles } from '#core/ui-data';
import { PluginScope, useFormatRefusal, useResource, useText } from '#core/web';
import type { LocationMutations } from '../stores/location-mutations.ts';

export interface DeleteLocationDialogProps {
  readonly location: LocationNode;
  readonly mutations: LocationMutations;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Asks before a location is deleted, and says what is deleted with it or what prevents it. */
export const DeleteLocationDialog = observer(function DeleteLocationDialog({
  location,
  mutations,
  onDeleted,
  onClose,
}: DeleteLocationDialogProps) {
  const t = useText();
  const { uid, name } = location;
  const locationUse = useResource((signal) => mutations.findUse(uid, signal), [mutations, uid]);
  const isBlocked = locationUse.value !== undefined && locationUse.value.contents.length > 0;
  return (
    <ConfirmDialog
      title={t('locations.sites.deleteTitle', { name })}
      message={t(isBlocked ? 'locations.sites.deleteBlocked' : 'locations.sites.deleteHint')}
      action={t('locations.sites.delete')}
      blocked={locationUse.value === undefined || isBlocked}
      onConfirm={async () => {
        await mutations.delete(location);
        onDeleted();
      }}
      onClose={onClose}
    >
      <ResourceView resource={locationUse} waiting={<LoadingState />}>
        {(value) => <UseSummary use={value} />}
      </ResourceView>
    </ConfirmDialog>
  );
});

function UseSummary({ use: { descendants, roles, contents } }: { readonly use: LocationUse }) {
  const t = useText();
  const styles = useAdminStyles();
  if (contents.length > 0)
    return (
      <ul className={styles.report}>
        {contents.map(({ message, count }) => (
          <li key={message}>
            <Suspense fallback={null}>
              <ContentSentence message={message} count={count} />
            </Suspense>
          </li>
        ))}
      </ul>
    );
  return (
    <>
      {descendants > 0 ? <p>{t('locations.sites.deleteBelow', { count: descendants })}</p> : null}
      {roles.length > 0 ? (
        <p>{t('locations.sites.deleteRoles', { count: roles.length, names: roles.join(', ') })}</p>
      ) : null}
    </>
  );
}

/** The text belongs to the plugin whose id it begins with, which may not be loaded yet. */
function ContentSentence({ message, count }: LocationUse['contents'][number]) {
  return (
    <PluginScope plugin={message.split('.')[0] ?? ''}>
      <Sentence message={message} count={count} />
    </PluginScope>
  );
}

function Sentence({ message, count }: LocationUse['contents'][number]) {
  const t = useText();
  const formatRefusal = useFormatRefusal();
  return (
    formatRefusal({ message: null, refusal: { message, values: { count } } }) ?? t('locations.sites.rows', { count })
  );
}
