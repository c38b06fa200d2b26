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
  /** Called with the change, if anything was changed, and the message that describes it. */
  readonly onChanged: (change: string | null, message: string, count: number) => void;
}

/** What can be done with all selected people. */
export const BulkActions = observer(function BulkActions({ selection, roles, onChanged }: BulkActionsProps) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const opener = useRestoreFocusTarget();
  const [open, setOpen] = useState<'ACTIVE' | 'INACTIVE' | 'ROLE'>();
  const people = [...selection.uids];
  const count = people.length;
  const close = (): void => setOpen(undefined);
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
      <Button {...opener} onClick={() => setOpen('INACTIVE')}>
        {t('users.deactivate')}
      </Button>
      <Button {...opener} onClick={() => setOpen('ACTIVE')}>
        {t('users.activate')}
      </Button>
      <Button {...opener} onClick={() => setOpen('ROLE')}>
        {t('users.assignRole')}
      </Button>
      <Button appearance="subtle" onClick={() => selection.clear()}>
        {t('users.clearSelection')}
      </Button>
      {open === 'ACTIVE' || open === 'INACTIVE' ? (
        <ConfirmDialog
          title={t(`users.confirm.${open}`, { count })}
          message={t(`users.confirm.${open}Hint`)}
          action={t(open === 'INACTIVE' ? 'users.deactivate' : 'users.activate')}
          onConfirm={() => setStatus(open)}
          onClose={close}
        />
      ) : null}
      {open === 'ROLE' ? <RoleDialog roles={roles} count={count} onAssign={assign} onClose={close} /> : null}
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
