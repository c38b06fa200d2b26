import { makeStyles, tokens } from '@fluentui/react-components';
import { useMemo } from 'react';
import { mandatoryField } from '#core';
import type { answerChallenge, SignInChallenge } from '#core/api';
import { flatFields, useFormState } from '../../forms/use-form-state.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import { SignInField } from '../parts/sign-in-field.tsx';
import { classes } from '../sign-in-classes.ts';
import { SignInProvider, useSignIn } from '../sign-in-context.ts';
import { BackLink } from './back-link.tsx';
import { Enrolment } from './enrolment.tsx';
import { createStepText, throwStepFailure, toMessageId } from './step-messages.ts';

export interface SecondStepProps {
  readonly challenge: SignInChallenge;
  /** Returns to email and password. */
  readonly onLeave: (step: undefined) => void;
}

/** The second step of the login: a code, or the enrolment of somebody who must have a second factor. */
export function SecondStep({ challenge: { challenge, step }, onLeave }: SecondStepProps) {
  const signIn = useSignIn();
  const extendedValue = useMemo(() => ({ ...signIn, notice: undefined, text: createStepText(signIn) }), [signIn]);
  const leave = () => onLeave(undefined);
  return (
    <SignInProvider value={extendedValue}>
      {step === 'CODE' ? (
        <CodeStep challenge={challenge} onLeave={leave} />
      ) : (
        <Enrolment challenge={challenge} onLeave={leave} />
      )}
    </SignInProvider>
  );
}

const useStyles = makeStyles({ form: { marginTop: tokens.spacingVerticalL } });
const fields = flatFields({ code: [mandatoryField] });

function CodeStep({ challenge, onLeave }: { readonly challenge: string; readonly onLeave: () => void }) {
  const styles = useStyles();
  const { api, finish, text } = useSignIn();
  const form = useFormState({
    fields,
    initial: { code: '' },
    focusAfterFailure: 'code',
    send: async ({ code }) =>
      finish(
        await api
          .callSecondFactor<typeof answerChallenge>('/auth/pub/user/login/second-factor', { challenge, code })
          .catch(throwStepFailure),
      ),
  });
  return (
    <>
      <h2 className={classes.heading}>{text(toMessageId('core.signIn.secondFactor.title'))}</h2>
      <p className={classes.lead}>{text(toMessageId('core.signIn.secondFactor.lead'))}</p>
      <div className={styles.form}>
        <FormFrame form={form} button={toMessageId('core.signIn.secondFactor.check')}>
          <SignInField
            field={form.field('code')}
            label="core.signIn.code"
            hint={text(toMessageId('core.signIn.secondFactor.hint'))}
            type="text"
            autoComplete="one-time-code"
            autoFocus
            maxLength={64}
            className={classes.code}
          />
        </FormFrame>
      </div>
      <div className={classes.links}>
        <p className={classes.lead}>{text(toMessageId('core.signIn.secondFactor.lost'))}</p>
        <BackLink onLeave={onLeave} />
      </div>
    </>
  );
}
