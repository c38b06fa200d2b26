import { observer } from 'mobx-react-lite';
import { useState, type ReactNode } from 'react';
import { Button, makeStyles, MessageBar, MessageBarBody, ProgressBar, ResourceView, tokens } from '#core/ui';
import { HttpClient, useContributions, useFormatFailure, useResource, useService, useText } from '#core/web';
import type { updateSetUp, getSetUp, SetUp } from '../../contract/api/set-up.ts';
import { setUpSteps } from '../../contract/index.ts';
import { SetUpRow, type ShownStep } from './set-up-row.tsx';

const useStyles = makeStyles({
  card: {
    display: 'grid',
    gap: tokens.spacingVerticalM,
    maxWidth: '860px',
    boxSizing: 'border-box',
    marginTop: tokens.spacingVerticalXL,
    padding: tokens.spacingHorizontalXL,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  head: { display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: tokens.spacingHorizontalM },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
  },
  hint: { margin: 0, color: tokens.colorNeutralForeground2 },
  steps: { margin: 0, padding: 0, listStyleType: 'none' },
  foot: { justifySelf: 'start' },
});

export interface SetUpListProps {
  /** On the home page, a complete or dismissed list is replaced by `replacement`. */
  readonly onHome: boolean;
  readonly waiting?: ReactNode;
  readonly replacement?: ReactNode;
}

/** The steps from an empty product to a tour, each with its state and its action. */
const SetUpList = observer(function SetUpList({ onHome, waiting = null, replacement = null }: SetUpListProps) {
  const http = useService(HttpClient);
  const resource = useResource((signal) => http.call<typeof getSetUp>('GET', '/api/set-up', {}, { signal }), [http]);
  const steps = useContributions(setUpSteps);
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const change = async (step: string | null, isHidden: boolean): Promise<void> => {
    setState({ busy: true });
    try {
      const body = { step, hidden: isHidden };
      const changedSetUp = await http.call<typeof updateSetUp>('PUT', '/api/set-up', { body });
      resource.update(() => changedSetUp);
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  return (
    <ResourceView resource={resource} waiting={waiting}>
      {(setUp) => {
        const shownSteps = steps.flatMap((step): ShownStep[] => {
          const report = setUp.steps.find(({ id }) => id === step.id);
          return report ? [{ ...report, step }] : [];
        });
        const openSteps = shownSteps.filter((step) => step.state !== 'DONE' && !step.skipped);
        if (onHome && (setUp.dismissed || openSteps.length === 0)) return replacement;
        return <SetUpCard steps={shownSteps} setUp={setUp} onHome={onHome} {...state} onChange={change} />;
      }}
    </ResourceView>
  );
});
export default SetUpList;

interface SetUpCardProps {
  readonly steps: readonly ShownStep[];
  readonly setUp: SetUp;
  readonly onHome: boolean;
  readonly busy: boolean;
  readonly failure?: unknown;
  readonly onChange: (step: string | null, hidden: boolean) => Promise<void>;
}

function SetUpCard({ steps, setUp, onHome, busy, failure, onChange }: SetUpCardProps) {
  const styles = useStyles();
  const t = useText();
  const formatFailure = useFormatFailure();
  const countedSteps = steps.filter(({ skipped }) => !skipped);
  const doneCount = countedSteps.filter(({ state }) => state === 'DONE').length;
  const isComplete = doneCount === countedSteps.length;
  const progress = t('locations.setUp.progress', { done: doneCount, count: countedSteps.length });
  const nextStep = countedSteps.find(({ state }) => state !== 'DONE');
  return (
    <section className={styles.card} aria-labelledby="locations-set-up">
      <div className={styles.head}>
        <h2 id="locations-set-up" className={styles.title}>
          {t('locations.setUp.heading')}
        </h2>
        <span>{progress}</span>
      </div>
      <ProgressBar value={doneCount} max={Math.max(1, countedSteps.length)} aria-label={progress} />
      <p className={styles.hint}>{t(isComplete ? 'locations.setUp.complete' : 'locations.setUp.hint')}</p>
      {failure === undefined ? null : (
        <div role="alert">
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          </MessageBar>
        </div>
      )}
      <ol className={styles.steps}>
        {steps.map((step) => (
          <SetUpRow
            key={step.id}
            shownStep={step}
            primary={step === nextStep}
            busy={busy}
            onSkip={(skipped) => void onChange(step.id, skipped)}
          />
        ))}
      </ol>
      {onHome || !isComplete ? (
        <Button
          className={styles.foot}
          appearance="subtle"
          disabledFocusable={busy}
          onClick={() => void onChange(null, !setUp.dismissed)}
        >
          {t(setUp.dismissed ? 'locations.setUp.show' : 'locations.setUp.dismiss')}
        </Button>
      ) : null}
    </section>
  );
}
