import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { mandatoryField, type ReplyOf } from '#core';
import type { completeChallengeEnrolment, SecondFactorKey, startChallengeEnrolment } from '#core/api';
import { flatFields, useFormState } from '../../forms/use-form-state.ts';
import { FormFrame, FormMessages } from '../parts/form-frame.tsx';
import { SignInField } from '../parts/sign-in-field.tsx';
import { classes } from '../sign-in-classes.ts';
import { useSignIn } from '../sign-in-context.ts';
import { BackLink } from './back-link.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';
import { throwStepFailure, toMessageId } from './step-messages.ts';

interface EnrolmentProps {
  readonly challenge: string;
  readonly onLeave: () => void;
}

const fields = flatFields({ code: [mandatoryField] });

/** The key is also shown as a text, for people whose browser cannot load the picture. */
const QrCode = lazy(() => import('../../ui/qr-code.tsx').catch(() => ({ default: () => null })));

const useStyles = makeStyles({
  again: { marginTop: tokens.spacingVerticalM },
  key: {
    display: 'grid',
    justifyItems: 'start',
    gap: tokens.spacingVerticalS,
    marginTop: tokens.spacingVerticalM,
    marginBottom: tokens.spacingVerticalM,
  },
  waiting: { width: '200px', height: '200px' },
  text: { margin: 0 },
  code: { fontFamily: tokens.fontFamilyMonospace, userSelect: 'all' },
});

/** Sets up the second factor before the login gives access, and shows the recovery codes once. */
export function Enrolment({ challenge, onLeave }: EnrolmentProps) {
  const styles = useStyles();
  const { api, text } = useSignIn();
  const [key, setKey] = useState<SecondFactorKey>();
  const [failure, setFailure] = useState<unknown>();
  const [completed, setCompleted] = useState<ReplyOf<typeof completeChallengeEnrolment>>();
  const start = useCallback(async () => {
    setFailure(undefined);
    try {
      setKey(
        await api
          .callSecondFactor<typeof startChallengeEnrolment>('/auth/pub/user/login/second-factor/start', { challenge })
          .catch(throwStepFailure),
      );
    } catch (cause) {
      setFailure(cause);
    }
  }, [api, challenge]);
  useEffect(() => void start(), [start]);
  if (completed) return <RecoveryCodesStep {...completed} />;
  return (
    <>
      <h2 className={classes.heading}>{text(toMessageId('core.signIn.secondFactor.enrol.title'))}</h2>
      <p className={classes.lead}>{text(toMessageId('core.signIn.secondFactor.enrol.lead'))}</p>
      {key ? (
        <KeyForm challenge={challenge} enrolmentKey={key} onComplete={setCompleted} />
      ) : failure === undefined ? (
        <p role="status" className={classes.lead}>
          {text(toMessageId('core.signIn.secondFactor.enrol.loading'))}
        </p>
      ) : (
        <>
          <FormMessages failure={failure} />
          <Button className={styles.again} onClick={() => void start()}>
            {text(toMessageId('core.signIn.secondFactor.enrol.again'))}
          </Button>
        </>
      )}
      <div className={classes.links}>
        <BackLink onLeave={onLeave} />
      </div>
    </>
  );
}

interface KeyFormProps {
  readonly challenge: string;
  readonly enrolmentKey: SecondFactorKey;
  readonly onComplete: (completed: ReplyOf<typeof completeChallengeEnrolment>) => void;
}

function KeyForm({ challenge, enrolmentKey: { key, address: url, enrolment }, onComplete }: KeyFormProps) {
  const styles = useStyles();
  const { api, text } = useSignIn();
  const form = useFormState({
    fields,
    initial: { code: '' },
    focusAfterFailure: 'code',
    send: async ({ code }) =>
      onComplete(
        await api
          .callSecondFactor<typeof completeChallengeEnrolment>('/auth/pub/user/login/second-factor/confirm', {
            challenge,
            enrolment,
            code,
          })
          .catch(throwStepFailure),
      ),
  });
  return (
    <>
      <div className={styles.key}>
        <Suspense fallback={<div className={styles.waiting} />}>
          <QrCode text={url} label={text(toMessageId('core.signIn.secondFactor.enrol.picture'))} />
        </Suspense>
        <p className={styles.text}>
          {text(toMessageId('core.signIn.secondFactor.enrol.key'))}{' '}
          <code className={styles.code}>{key.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
      </div>
      <FormFrame form={form} button={toMessageId('core.signIn.secondFactor.check')}>
        <SignInField
          field={form.field('code')}
          label={toMessageId('core.signIn.secondFactor.enrol.code')}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={12}
          className={classes.code}
        />
      </FormFrame>
    </>
  );
}

function RecoveryCodesStep({ recoveryCodes, tokens: receivedTokens }: ReplyOf<typeof completeChallengeEnrolment>) {
  const { finish, text } = useSignIn();
  const [busy, setBusy] = useState(false);
  return (
    <>
      <h2 className={classes.heading}>{text(toMessageId('core.signIn.secondFactor.codes.title'))}</h2>
      <p className={classes.lead}>{text(toMessageId('core.signIn.secondFactor.codes.lead'))}</p>
      <RecoveryCodeList codes={recoveryCodes} />
      <Button
        className={classes.submit}
        appearance="primary"
        size="large"
        disabledFocusable={busy}
        onClick={() => {
          setBusy(true);
          void finish(receivedTokens);
        }}
      >
        {text(toMessageId('core.signIn.secondFactor.codes.done'))}
      </Button>
    </>
  );
}
