import { observer } from 'mobx-react-lite';
import type { RoleRow } from '#core/api';
import { LoadingState, ResourceView } from '#core/ui';
import { ConfirmDialog } from '#core/ui-data';
import { useFormats, useResource, useText } from '#core/web';
import type { RolesStore } from '../stores/roles-store.ts';
import { EffectsList } from './effects-list.tsx';

export interface StatusDialogProps {
  readonly role: RoleRow;
  readonly store: RolesStore;
  readonly onClose: () => void;
}

/** Confirms the activation or deactivation of a role, and shows how many people gain or lose access. */
export const StatusDialog = observer(function StatusDialog({ role, store, onClose }: StatusDialogProps) {
  const t = useText();
  const formats = useFormats();
  const { uid, name } = role;
  const action = role.status === 'ACTIVE' ? 'deactivate' : 'activate';
  const status = role.status === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  const effects = useResource(
    async (signal) => store.preview(uid, { ...(await store.load(uid, signal)), status }, signal),
    [store, uid, status],
  );
  return (
    <ConfirmDialog
      title={t(`roles.${action}Title`, { name })}
      message={t(`roles.${action}Hint`)}
      action={t(`roles.${action}`)}
      blocked={effects.value === undefined}
      onConfirm={() => store.setStatus(role, status)}
      onClose={onClose}
    >
      <ResourceView resource={effects} waiting={<LoadingState />}>
        {(value) => (
          <>
            {action === 'activate' ? null : (
              <p>
                {t('roles.deactivateEffect', {
                  losing: value.losing,
                  losingShown: formats.number(value.losing),
                  keeping: value.people - value.losing,
                  keepingShown: formats.number(value.people - value.losing),
                })}
              </p>
            )}
            <EffectsList effects={value} />
          </>
        )}
      </ResourceView>
    </ConfirmDialog>
  );
});
