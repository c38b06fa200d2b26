import { useState } from 'react';
import { mandatory, maxLength } from '#core';
import type { createGroupRole, GroupRoleChoices } from '#core/api';
import { Field, Input, Select, useForm } from '#core/ui';
import { FormDialog, type ChangeSender } from '#core/ui-data';
import { HttpClient, ProductInfo, useService, useText } from '#core/web';

export interface GroupRoleFormProps {
  readonly choices: GroupRoleChoices;
  readonly sender: ChangeSender;
  readonly onClose: () => void;
}

/** Assigns a role to the members of a group of an identity provider. */
export function GroupRoleForm({ choices, sender, onClose }: GroupRoleFormProps) {
  const t = useText();
  const http = useService(HttpClient);
  const { login } = useService(ProductInfo);
  const [uid] = useState(() => crypto.randomUUID());
  const providers = choices.providers.filter(({ claim }) => claim !== null);
  const form = useForm<{ provider: string; group: string; role: string }>({
    initial: { provider: providers[0]?.id ?? '', group: '', role: '' },
    rules: { provider: [mandatory], group: [mandatory, maxLength(200)], role: [mandatory] },
    send: async ({ provider, group, role }) => {
      const id = providers.find((option) => option.id === provider)?.id;
      if (id === undefined) return;
      const body = { uid, provider: id, group: group.trim(), role };
      await sender.send(() => http.call<typeof createGroupRole>('POST', '/api/group-roles', { body }), {
        texts: { done: 'roles.done.groupAdded', undone: 'roles.undone.groupAdded' },
        values: { group: body.group, role: choices.roles.find((option) => option.uid === role)?.name ?? role },
      });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('roles.groups.add')}
      action={t('roles.groups.add')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t('roles.groups.provider')} required {...form.field('provider')}>
        <Select {...form.input('provider')}>
          {providers.map(({ id }) => (
            <option key={id} value={id}>
              {login.providers.find((option) => option.id === id)?.label ?? id}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('roles.groups.group')} hint={t('roles.groups.groupHint')} required {...form.field('group')}>
        <Input autoComplete="off" spellCheck={false} {...form.input('group')} />
      </Field>
      <Field label={t('roles.role')} hint={t('roles.groups.roleHint')} required {...form.field('role')}>
        <Select {...form.input('role')}>
          <option value="">{t('roles.groups.choose')}</option>
          {choices.roles.map((role) => (
            <option key={role.uid} value={role.uid}>
              {role.name}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
}
