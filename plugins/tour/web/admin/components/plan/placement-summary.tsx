import type { ReactNode } from 'react';
import { normalizePan } from '#core';
import { makeStyles, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { maxResidualMetres } from '../../../../common/fit-plan.ts';
import type { PlacedPlan } from '../../../../contract/api/tour-content.ts';
import type { EnteredPlacement, PlacementProblem } from '../../stores/placement-values.ts';
import type { SiteLengths } from '../../stores/site-lengths.ts';
import { WarningIcon } from './plan-icons.tsx';

const useStyles = makeStyles({
  details: {
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    columnGap: tokens.spacingHorizontalM,
    margin: 0,
  },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, fontVariantNumeric: 'tabular-nums' },
  failed: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    color: tokens.colorStatusDangerForeground1,
    fontWeight: tokens.fontWeightSemibold,
  },
});

export const problemTexts: Readonly<Record<PlacementProblem, string>> = {
  fewPoints: 'tour.plan.problem.fewPoints',
  samePlace: 'tour.plan.problem.samePlace',
  sameCoordinates: 'tour.plan.problem.sameCoordinates',
  mirrored: 'tour.plan.problem.mirrored',
  contradictory: 'tour.plan.problem.contradictory',
  scale: 'tour.plan.problem.scale',
  fewMarks: 'tour.plan.problem.fewMarks',
  distance: 'tour.plan.problem.distance',
};

export interface PlacementSummaryProps {
  readonly lengths: SiteLengths;
  readonly plan: PlacedPlan;
  readonly entered: EnteredPlacement;
}

/** Shows scale, size, heading and error of the entered placement, or why the input determines none. */
export function PlacementSummary({ lengths, plan, entered: { placement, fit, problem } }: PlacementSummaryProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  if (!placement)
    return (
      <p className={adminStyles.note} role="status">
        {problem === undefined ? t('tour.plan.incomplete') : t(problemTexts[problem])}
      </p>
    );
  const { heading } = placement;
  const unit = lengths.symbol;
  const scale = lengths.fromMetres(placement.scale);
  const details = [
    [t('tour.plan.scale'), t('tour.plan.scaleValue', { scale, unit })],
    [t('tour.plan.size'), t('tour.plan.sizeValue', { width: plan.width * scale, height: plan.height * scale, unit })],
    [t('tour.plan.heading'), t('tour.plan.headingValue', { heading: normalizePan(Number(heading.toFixed(1))) })],
  ] as const;
  return (
    <div className={adminStyles.form}>
      <dl className={styles.details} aria-label={t('tour.plan.result')}>
        {details.map(([term, value]) => (
          <Fact key={term} term={term}>
            {value}
          </Fact>
        ))}
        {fit?.redundant ? (
          <Fact term={t('tour.plan.rms')}>
            {fit.rms > maxResidualMetres ? (
              <span className={styles.failed}>
                <WarningIcon />
                {t('tour.plan.rmsTooFar', { value: lengths.fromMetres(fit.rms), unit })}
              </span>
            ) : (
              t('tour.plan.length', { value: lengths.fromMetres(fit.rms), unit })
            )}
          </Fact>
        ) : null}
      </dl>
      {fit && !fit.redundant ? <p className={adminStyles.note}>{t('tour.plan.notRedundant')}</p> : null}
      <div role="alert">
        {fit?.mirrored ? (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{t('tour.plan.mirrored')}</MessageBarBody>
          </MessageBar>
        ) : null}
      </div>
    </div>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  const styles = useStyles();
  return (
    <>
      <dt className={styles.term}>{term}</dt>
      <dd className={styles.value}>{children}</dd>
    </>
  );
}
