import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { assignRole, PersonChoices, setPeopleStatus } from '#core/api';
import { Button, Field, makeStyles, Select, tokens, useForm, useRestoreFocusTarget } from '#core/ui';
import { ConfirmDialog, FormDialog } from '#core/ui-data';
import { HttpClient, useService, useText } from '#core/web';
import { mandatory } from '#core';
import type { UserSelection } from '../stores/user-selection.ts';

const useStyles = makeStyles({
  bar: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
});

export interface BulkActionsProps {
  readonly selection: UserSelection;
  readonly roles: PersonChoices['roles'];
  /** `change` is the uid of the change, or null if nothing was changed. `message` is a message id. */
  readonly onChanged: (change: string | null, message: string, count: number) => void;
}

/** Actions for all selected people. */
export const BulkActions = observer(function BulkActions({ selection, roles, onChanged }: BulkActionsProps) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const opener = useRestoreFocusTarget();
  const [dialog, setDialog] = useState<'ACTIVE' | 'INACTIVE' | 'ROLE'>();
  const people = [...selection.uids];
  const count = people.length;
  const close = (): void => setDialog(undefined);
  const finish = (change: string | null, message: string): void => {
    selection.clear();
    onChanged(change, message, count);
  };
  const setStatus = async (status: 'ACTIVE' | 'INACTIVE'): Promise<void> => {
    const { change } = await http.call<typeof setPeopleStatus>('POST', '/api/people/status', {
      body: { people, status },
    });
    finish(change, `users.done.${status}`);
  };
  const assign = async (role: string): Promise<void> => {
    const { change } = await http.call<typeof assignRole>('POST', '/api/people/roles', { body: { people, role } });
    finish(change, 'users.done.ROLE');
    close();
  };
  if (count === 0) return null;
  return (
    <div className={styles.bar} role="group" aria-label={t('users.selected', { count })}>
      <span>{t('users.selected', { count })}</span>
      <Button {...opener} onClick={() => setDialog('INACTIVE')}>
        {t('users.deactivate')}
      </Button>
      <Button {...opener} onClick={() => setDialog('ACTIVE')}>
        {t('users.activate')}
      </Button>
      <Button {...opener} onClick={() => setDialog('ROLE')}>
        {t('users.assignRole')}
      </Button>
      <Button appearance="subtle" onClick={() => selection.clear()}>
        {t('users.clearSelection')}
      </Button>
      {dialog === 'ACTIVE' || dialog === 'INACTIVE' ? (
        <ConfirmDialog
          title={t(`users.confirm.${dialog}`, { count })}
          message={t(`users.confirm.${dialog}Hint`)}
          action={t(dialog === 'INACTIVE' ? 'users.deactivate' : 'users.activate')}
          onConfirm={() => setStatus(dialog)}
          onClose={close}
        />
      ) : null}
      {dialog === 'ROLE' ? <RoleDialog roles={roles} count={count} onAssign={assign} onClose={close} /> : null}
    </div>
  );
});

interface RoleDialogProps extends Pick<BulkActionsProps, 'roles'> {
  readonly count: number;
  readonly onAssign: (role: string) => Promise<void>;
  readonly onClose: () => void;
}

function RoleDialog({ roles, count, onAssign, onClose }: RoleDialogProps) {
  const t = useText();
  const form = useForm({
    initial: { role: '' },
    rules: { role: [mandatory] },
    send: ({ role }) => onAssign(role),
  });
  return (
    <FormDialog
      title={t('users.assignTitle', { count })}
      action={t('users.assignRole')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t('users.role')} required {...form.field('role')}>
        <Select {...form.input('role')}>
          <option value="">{t('users.chooseRole')}</option>
          {roles
            .filter(({ status }) => status === 'ACTIVE')
            .map(({ uid, name }) => (
              <option key={uid} value={uid}>
                {name}
              </option>
            ))}
        </Select>
      </Field>
    </FormDialog>
  );
}
