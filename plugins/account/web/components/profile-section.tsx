import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import { mandatory, maxLength } from '#core';
import type { saveProfile } from '#core/api';
import { Button, Field, Input, makeStyles, tokens, useForm } from '#core/ui';
import { HttpClient, Notifications, Session, useService, useText, useUnsavedWork } from '#core/web';

const useStyles = makeStyles({
  form: { display: 'grid', gap: tokens.spacingVerticalL, justifyItems: 'start' },
  field: { width: '100%' },
});

/** The person's profile. The name is editable; admins maintain the rest. */
const ProfileSection = observer(function ProfileSection() {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const session = useService(Session);
  const notifications = useService(Notifications);
  const me = session.me;
  const initial = useMemo(() => ({ name: me?.name ?? '' }), [me?.name]);
  const form = useForm({
    initial,
    rules: { name: [mandatory, maxLength(120)] },
    send: async ({ name }) => {
      await http.call<typeof saveProfile>('PUT', '/api/me', { body: { name: name.trim() } });
      await session.resume();
      notifications.show({
        id: 'account.profile',
        kind: 'success',
        area: 'bottom',
        message: 'account.profile.saved',
        dismissable: true,
      });
    },
  });
  useUnsavedWork(form.changed, 'account.profile');
  if (!me) return null;
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <Field className={styles.field} label={t('account.profile.name')} required {...form.field('name')}>
        <Input autoComplete="name" {...form.input('name')} />
      </Field>
      <Field className={styles.field} label={t('account.profile.email')}>
        <Input value={me.username} readOnly />
      </Field>
      <Field className={styles.field} label={t('account.profile.userType')}>
        <Input value={t(`account.profile.type.${me.userType}`)} readOnly />
      </Field>
      {form.failure !== undefined && <p role="alert">{t('account.notSaved')}</p>}
      <Button type="submit" appearance="primary" size="large" disabled={form.busy || !form.changed}>
        {t('account.profile.save')}
      </Button>
    </form>
  );
});
export default ProfileSection;
