import type { RefCallback } from 'react';
import { Checkbox, Field, MessageBar, MessageBarBody } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { maxResidualMetres } from '../../../../common/fit-plan.ts';
import type { Disagreement } from '../../stores/placement-values.ts';
import type { SiteLengthFormats } from '../../stores/site-lengths.ts';

export interface DisagreementConfirmationProps {
  readonly disagreement: Disagreement;
  readonly lengths: SiteLengthFormats;
  readonly confirmed: boolean;
  /** True if the person tried to save without the confirmation. */
  readonly missing: boolean;
  readonly checkboxRef: RefCallback<HTMLInputElement>;
  readonly onChange: (confirmed: boolean) => void;
}

/** Warns that points disagree, names those that are probably wrong, and asks for a confirmation before saving. */
export function DisagreementConfirmation({
  disagreement: { worstIndex, residual, suspectIndexes },
  lengths,
  confirmed,
  missing,
  checkboxRef,
  onChange,
}: DisagreementConfirmationProps) {
  const t = useText();
  const styles = useAdminStyles();
  const number = worstIndex + 1;
  const value = lengths.length(residual, { decimals: 2, fixed: true });
  const [suspect, secondSuspect] = suspectIndexes.map((index) => index + 1);
  const limit = lengths.length(maxResidualMetres, { decimals: 2 });
  return (
    <div className={styles.form}>
      <div role="status">
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {t('tour.plan.disagree', { number, value, limit })}{' '}
            {suspect === undefined
              ? t('tour.plan.disagree.unknown')
              : secondSuspect === undefined
                ? t('tour.plan.disagree.one', { number: suspect })
                : t('tour.plan.disagree.several', { numbers: suspectIndexes.map((index) => index + 1).join(', ') })}
          </MessageBarBody>
        </MessageBar>
      </div>
      <Field
        {...(missing && !confirmed
          ? { validationState: 'error' as const, validationMessage: t('tour.plan.disagree.missing') }
          : {})}
      >
        <Checkbox
          ref={checkboxRef}
          label={t('tour.plan.disagree.confirm', { number, value })}
          checked={confirmed}
          onChange={(_, { checked }) => onChange(checked === true)}
        />
      </Field>
    </div>
  );
}
