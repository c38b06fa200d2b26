import { mandatory, minLength, getMinPasswordLength, password } from '#core';
import type { changePassword } from '#core/api';
import { Button, Field, Input, makeStyles, tokens, useForm } from '#core/ui';
import { HttpClient, Notifications, ProductInfo, Session, useService, useText, useUnsavedWork } from '#core/web';

const useStyles = makeStyles({
  form: { display: 'grid', gap: tokens.spacingVerticalL, justifyItems: 'start' },
  field: { width: '100%' },
  message: { margin: 0 },
});
const emptyValues = { current: '', next: '', repeat: '' };

/**
 * Changes the password, which ends all other sessions of the person. With single sign-on, only admins have a password,
 * and other people see a message instead.
 */
export default function PasswordSection() {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const notifications = useService(Notifications);
  const { login } = useService(ProductInfo);
  const { isAdmin } = useService(Session);
  const minPasswordLength = getMinPasswordLength(login);
  const form = useForm({
    initial: emptyValues,
    rules: { current: [password], next: [mandatory, minLength(minPasswordLength)], repeat: [mandatory] },
    validateTogether: ({ next, repeat }) =>
      next === repeat ? {} : { repeat: { message: 'account.password.differs' } },
    send: async ({ current, next }, reset) => {
      await http.call<typeof changePassword>('PUT', '/api/me/password', { body: { current, next } });
      reset();
      notifications.show({
        id: 'account.password',
        kind: 'success',
        area: 'bottom',
        message: 'account.password.changed',
        dismissable: true,
      });
    },
  });
  useUnsavedWork(form.changed, 'account.password');
  if (login.type !== 'EMAIL_PW' && !isAdmin) return <p className={styles.message}>{t('account.password.signOn')}</p>;
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <Field className={styles.field} label={t('account.password.current')} required {...form.field('current')}>
        <Input type="password" autoComplete="current-password" {...form.input('current')} />
      </Field>
      <Field
        className={styles.field}
        label={t('account.password.next')}
        hint={t('account.password.nextHint', { min: minPasswordLength })}
        required
        {...form.field('next')}
      >
        <Input type="password" autoComplete="new-password" {...form.input('next')} />
      </Field>
      <Field className={styles.field} label={t('account.password.repeat')} required {...form.field('repeat')}>
        <Input type="password" autoComplete="new-password" {...form.input('repeat')} />
      </Field>
      {form.failure !== undefined && <p role="alert">{t('account.notSaved')}</p>}
      <Button type="submit" appearance="primary" size="large" disabled={form.busy}>
        {t('account.password.change')}
      </Button>
    </form>
  );
}
