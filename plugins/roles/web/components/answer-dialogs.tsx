import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { mandatory, maxAccessReason, maxLength } from '#core';
import type { AccessRequest, listGrantableRoles } from '#core/api';
import { EmptyState, Field, ListSkeleton, Radio, RadioGroup, ResourceView, Textarea, useForm } from '#core/ui';
import { ConfirmDialog, FormDialog, useAdminStyles, useProductFlags } from '#core/ui-data';
import { HttpClient, useResource, useService, useText } from '#core/web';
import type { AccessRequestsStore } from '../stores/access-requests-store.ts';

export interface AnswerDialogProps {
  readonly request: AccessRequest;
  readonly store: AccessRequestsStore;
  readonly onClose: () => void;
}

/** Grants a request by assigning one of the roles that the admin can grant. */
export const GrantDialog = observer(function GrantDialog({ request, store, onClose }: AnswerDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const productFlags = useProductFlags();
  const [chosenRole, setChosenRole] = useState<string>();
  const roles = useResource(
    (signal) =>
      http.call<typeof listGrantableRoles>(
        'GET',
        '/api/access-requests/:request/roles',
        { params: { request: request.uid } },
        { signal },
      ),
    [http, request.uid],
  );
  const proposedRole = roles.value?.find(({ sufficient }) => sufficient)?.uid;
  const role = chosenRole ?? proposedRole;
  return (
    <ConfirmDialog
      title={t('roles.grantTitle', { name: request.person.name })}
      message={t('roles.grantHint')}
      action={t('roles.grant')}
      blocked={role === undefined}
      onConfirm={async () => {
        if (role !== undefined) await store.grant(request, role);
      }}
      onClose={onClose}
    >
      <ResourceView
        resource={roles}
        waiting={<ListSkeleton />}
        empty={<EmptyState title={t('roles.noGrantable')} message={t('roles.noGrantableHint')} />}
      >
        {(value) => (
          <>
            {proposedRole === undefined ? <p className={styles.note}>{t('roles.noSufficient')}</p> : null}
            <RadioGroup
              value={role ?? ''}
              onChange={(_, { value: uid }) => setChosenRole(uid)}
              aria-label={t('roles.role')}
            >
              {value.map(({ uid, name, flags, allLocations, sufficient }) => (
                <Radio
                  key={uid}
                  value={uid}
                  label={t(sufficient ? 'roles.grantable' : 'roles.grantableLess', {
                    name,
                    features: flags
                      .filter((flag) => productFlags.has(flag))
                      .map((flag) => t(`roles.flag.${flag}`))
                      .join(', '),
                    locations: t(allLocations ? 'roles.everywhere' : 'roles.someLocations'),
                  })}
                />
              ))}
            </RadioGroup>
          </>
        )}
      </ResourceView>
    </ConfirmDialog>
  );
});

export function DeclineDialog({ request, store, onClose }: AnswerDialogProps) {
  const t = useText();
  const form = useForm<{ reason: string }>({
    initial: { reason: '' },
    rules: { reason: [mandatory, maxLength(maxAccessReason)] },
    send: async ({ reason }) => {
      await store.decline(request, reason.trim());
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('roles.declineTitle', { name: request.person.name })}
      action={t('roles.decline')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t('roles.declineReason')} hint={t('roles.declineHint')} required {...form.field('reason')}>
        <Textarea {...form.input('reason')} resize="vertical" rows={4} />
      </Field>
    </FormDialog>
  );
}
