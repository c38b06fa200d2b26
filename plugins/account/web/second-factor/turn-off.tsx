import { mandatory, password as passwordRule } from '#core';
import type { turnOffSecondFactor } from '#core/api';
import { Field, Input, makeStyles, useForm } from '#core/ui';
import { HttpClient, Notifications, useService, useText } from '#core/web';
import { StepForm } from './step-form.tsx';

const useStyles = makeStyles({ field: { width: '100%' } });

/** Turns the second factor off. Requires the password and a code. */
export function TurnOff({ onChange }: { readonly onChange: () => void }) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const notifications = useService(Notifications);
  const form = useForm({
    initial: { password: '', code: '' },
    rules: { password: [passwordRule], code: [mandatory] },
    send: async (body) => {
      await http.call<typeof turnOffSecondFactor>('POST', '/api/me/second-factor/off', { body });
      notifications.show({
        id: 'account.secondFactor',
        kind: 'success',
        area: 'bottom',
        message: 'account.secondFactor.turnedOff',
        dismissable: true,
      });
      onChange();
    },
  });
  return (
    <StepForm
      title={t('account.secondFactor.turnOff')}
      hint={t('account.secondFactor.turnOffHint')}
      action={t('account.secondFactor.turnOff')}
      form={form}
    >
      <Field className={styles.field} label={t('account.secondFactor.password')} required {...form.field('password')}>
        <Input type="password" autoComplete="current-password" {...form.input('password')} />
      </Field>
      <Field className={styles.field} label={t('account.secondFactor.anyCode')} required {...form.field('code')}>
        <Input autoComplete="one-time-code" spellCheck={false} maxLength={64} {...form.input('code')} />
      </Field>
    </StepForm>
  );
}
