import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { useText } from '#core/web';
import { importSteps, type ImportStep } from '../stores/import-steps.ts';

const phoneQuery = '@media (max-width: 479px)';

const useStyles = makeStyles({
  list: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalXS,
    margin: `0 0 ${tokens.spacingVerticalL}`,
    padding: 0,
    listStyleType: 'none',
    // On phones all steps are in one line, each with its number above its name.
    [phoneQuery]: { display: 'grid', gridTemplateColumns: `repeat(${importSteps.length}, minmax(0, 1fr))` },
  },
  step: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    minHeight: '32px',
    padding: `0 ${tokens.spacingHorizontalM}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    font: 'inherit',
    cursor: 'pointer',
    ':disabled': { color: tokens.colorNeutralForegroundDisabled, cursor: 'not-allowed' },
    '@media (pointer: coarse)': { minHeight: '44px' },
    [phoneQuery]: {
      flexDirection: 'column',
      justifyContent: 'center',
      gap: 0,
      width: '100%',
      minHeight: '44px',
      padding: 0,
      borderRadius: tokens.borderRadiusLarge,
      fontSize: tokens.fontSizeBase200,
    },
  },
  current: {
    borderTopColor: tokens.colorBrandStroke1,
    borderRightColor: tokens.colorBrandStroke1,
    borderBottomColor: tokens.colorBrandStroke1,
    borderLeftColor: tokens.colorBrandStroke1,
    fontWeight: tokens.fontWeightSemibold,
  },
  number: { fontVariantNumeric: 'tabular-nums' },
});

export interface StepBarProps {
  readonly step: ImportStep;
  readonly isOpen: (step: ImportStep) => boolean;
  readonly onChoose: (step: ImportStep) => void;
}

/** The steps of an import; the current one is marked. */
export function StepBar({ step: currentStep, isOpen, onChoose }: StepBarProps) {
  const t = useText();
  const styles = useStyles();
  return (
    <nav aria-label={t('imports.steps')}>
      <ol className={styles.list}>
        {importSteps.map((step, index) => (
          <li key={step}>
            <button
              type="button"
              className={mergeClasses(styles.step, step === currentStep && styles.current)}
              aria-current={step === currentStep ? 'step' : undefined}
              disabled={!isOpen(step)}
              onClick={() => onChoose(step)}
            >
              <span className={styles.number}>{index + 1}</span>
              {t(`imports.step.${step}`)}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
