import { mandatory } from '#core';
import type { renewRecoveryCodes } from '#core/api';
import { Field, Input, makeStyles, useForm } from '#core/ui';
import { HttpClient, useService, useText } from '#core/web';
import { StepForm } from './step-form.tsx';

const useStyles = makeStyles({ field: { width: '100%' } });

/** Replaces the recovery codes. Requires a code of the app or a recovery code. */
export function RenewCodes({ onRecoveryCodes }: { readonly onRecoveryCodes: (codes: readonly string[]) => void }) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const form = useForm({
    initial: { code: '' },
    rules: { code: [mandatory] },
    send: async (body) => {
      const { recoveryCodes } = await http.call<typeof renewRecoveryCodes>(
        'POST',
        '/api/me/second-factor/recovery-codes',
        { body },
      );
      onRecoveryCodes(recoveryCodes);
    },
  });
  return (
    <StepForm
      title={t('account.secondFactor.renew')}
      hint={t('account.secondFactor.renewHint')}
      action={t('account.secondFactor.renew')}
      form={form}
    >
      <Field className={styles.field} label={t('account.secondFactor.anyCode')} required {...form.field('code')}>
        <Input autoComplete="one-time-code" spellCheck={false} maxLength={64} {...form.input('code')} />
      </Field>
    </StepForm>
  );
}
