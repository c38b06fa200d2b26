import { lazy, Suspense, useState } from 'react';
import { mandatory, password as passwordRule } from '#core';
import type { confirmEnrolment, SecondFactorKey, startEnrolment } from '#core/api';
import { Button, Field, Input, loadQrCode, makeStyles, tokens, useForm } from '#core/ui';
import { HttpClient, useService, useText } from '#core/web';
import { StepForm } from './step-form.tsx';

const useStyles = makeStyles({
  field: { width: '100%' },
  placeholder: { width: '200px', height: '200px' },
  text: { margin: 0 },
  key: { fontFamily: tokens.fontFamilyMonospace, userSelect: 'all' },
});

/** Renders nothing if its chunk fails to load, because the key is also shown as text. */
const QrCode = lazy(() => loadQrCode().catch(() => ({ default: () => null })));

export interface EnrolmentProps {
  readonly onRecoveryCodes: (codes: readonly string[]) => void;
}

/** Enrols a second factor in two steps: the password, then a code of the authenticator app. */
export function Enrolment({ onRecoveryCodes }: EnrolmentProps) {
  const [secondFactorKey, setSecondFactorKey] = useState<SecondFactorKey>();
  return secondFactorKey ? (
    <KeyStep
      secondFactorKey={secondFactorKey}
      onRecoveryCodes={onRecoveryCodes}
      onCancel={() => setSecondFactorKey(undefined)}
    />
  ) : (
    <PasswordStep onKey={setSecondFactorKey} />
  );
}

function PasswordStep({ onKey }: { readonly onKey: (secondFactorKey: SecondFactorKey) => void }) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const form = useForm({
    initial: { password: '' },
    rules: { password: [passwordRule] },
    send: async (body) =>
      onKey(await http.call<typeof startEnrolment>('POST', '/api/me/second-factor/start', { body })),
  });
  return (
    <StepForm
      title={t('account.secondFactor.setUp')}
      hint={t('account.secondFactor.passwordHint')}
      action={t('account.secondFactor.start')}
      form={form}
    >
      <Field className={styles.field} label={t('account.secondFactor.password')} required {...form.field('password')}>
        <Input type="password" autoComplete="current-password" {...form.input('password')} />
      </Field>
    </StepForm>
  );
}

interface KeyStepProps extends EnrolmentProps {
  readonly secondFactorKey: SecondFactorKey;
  readonly onCancel: () => void;
}

function KeyStep({
  secondFactorKey: { key, address: otpauthUri, enrolment: sealedKey },
  onRecoveryCodes,
  onCancel,
}: KeyStepProps) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const form = useForm({
    initial: { code: '' },
    rules: { code: [mandatory] },
    send: async ({ code }) => {
      const { recoveryCodes } = await http.call<typeof confirmEnrolment>('POST', '/api/me/second-factor', {
        body: { enrolment: sealedKey, code },
      });
      onRecoveryCodes(recoveryCodes);
    },
  });
  return (
    <StepForm
      title={t('account.secondFactor.setUp')}
      hint={t('account.secondFactor.scan')}
      action={t('account.secondFactor.confirm')}
      form={form}
      secondaryActions={
        <Button size="large" onClick={onCancel}>
          {t('account.secondFactor.cancel')}
        </Button>
      }
    >
      <Suspense fallback={<div className={styles.placeholder} />}>
        <QrCode text={otpauthUri} label={t('account.secondFactor.picture')} />
      </Suspense>
      <p className={styles.text}>
        {t('account.secondFactor.key')} <code className={styles.key}>{key.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Field className={styles.field} label={t('account.secondFactor.code')} required {...form.field('code')}>
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={12}
          {...form.input('code')}
          autoFocus
        />
      </Field>
    </StepForm>
  );
}
