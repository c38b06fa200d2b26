import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState, type KeyboardEvent, type MouseEvent, type ReactNode, type Ref } from 'react';
import { routes } from '#core';
import { useText } from '../i18n/use-text.ts';
import { I18n } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { RouteLink } from '../router/route-link.tsx';
import { FailedState } from './failed-state.tsx';

const useStyles = makeStyles({
  root: { position: 'relative', height: '100%', overflow: 'hidden' },
  host: { position: 'absolute', inset: 0 },
  card: {
    position: 'absolute',
    top: '8px',
    left: '8px',
    width: 'min(340px, calc(100% - 16px))',
    boxSizing: 'border-box',
    padding: '12px 16px',
    display: 'grid',
    gap: '8px',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: `color-mix(in srgb, ${tokens.colorNeutralBackground1} 90%, transparent)`,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow16,
    '@media (forced-colors: active)': { backgroundColor: 'Canvas' },
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase500, lineHeight: tokens.lineHeightBase500 },
  details: {
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    columnGap: '16px',
    rowGap: '2px',
    margin: 0,
    fontSize: tokens.fontSizeBase200,
  },
  pair: { display: 'contents' },
  value: { margin: 0, textAlign: 'end', overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' },
  actions: { display: 'flex', alignItems: 'center', gap: '16px', flexWrap: 'wrap' },
  visuallyHidden: { position: 'absolute', clipPath: 'inset(50%)' },
});

/** The rendered sample of a device check. */
export interface DeviceCheckSample {
  /** Name of the graphics card, or empty if the browser hides it. */
  readonly renderer: string;
  /** Returns the number of frames drawn since the start. */
  readonly frames: () => number;
  /** Rotates the sample once by 360 degrees and resolves at the end. */
  readonly rotate: () => Promise<void>;
}

export interface DeviceCheckProps {
  readonly title: string;
  /** The element that contains the sample. */
  readonly host: Ref<HTMLDivElement>;
  /** Background colour of the sample. */
  readonly background: string;
  /** Undefined before the first sample is ready. */
  readonly sample: DeviceCheckSample | undefined;
  /** Message about what this device cannot show. */
  readonly failure: { readonly title: string; readonly message: string } | undefined;
  /** Listed between the window size and the frame rate. */
  readonly details: readonly (readonly [name: string, value: string])[];
  /** Called with pixels from the sample's upper left corner: those of a click, or the centre for Enter. */
  readonly onPick?: (x: number, y: number) => void;
  /** Controls under the title. They must be disabled while the sample rotates. */
  readonly choice?: (rotating: boolean) => ReactNode;
}

/**
 * A full-screen sample of a viewer, with the name of the graphics card and the measured frame rate. A new sample needs
 * a new measurement.
 */
export function DeviceCheck({ title, host, background, sample, failure, details, onPick, choice }: DeviceCheckProps) {
  const styles = useStyles();
  const t = useText();
  const { language } = useService(I18n);
  const [rotating, setRotating] = useState(false);
  const [measurement, setMeasurement] = useState<{ readonly sample: DeviceCheckSample; readonly rate: number }>();
  const rate = measurement && measurement.sample === sample ? measurement.rate : undefined;

  const measure = async (testedSample: DeviceCheckSample): Promise<void> => {
    setRotating(true);
    const [start, frames] = [performance.now(), testedSample.frames()];
    await testedSample.rotate();
    setMeasurement({
      sample: testedSample,
      rate: (testedSample.frames() - frames) / ((performance.now() - start) / 1000),
    });
    setRotating(false);
  };

  const handleClick = ({ currentTarget, clientX, clientY }: MouseEvent): void => {
    const { left, top } = currentTarget.getBoundingClientRect();
    onPick?.(clientX - left, clientY - top);
  };
  const handleKeyDown = ({ currentTarget, key }: KeyboardEvent): void => {
    if (key === 'Enter') onPick?.(currentTarget.clientWidth / 2, currentTarget.clientHeight / 2);
  };

  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const rateText = rate === undefined ? '-' : t('core.check.rateValue', { rate: number.format(rate) });
  const allDetails: typeof details = sample
    ? [
        [t('core.check.renderer'), sample.renderer],
        [
          t('core.check.screen'),
          `${window.innerWidth} x ${window.innerHeight} @ ${number.format(window.devicePixelRatio)}`,
        ],
        ...details,
        [t('core.check.rate'), rateText],
      ]
    : [];
  return (
    <div className={styles.root} style={{ backgroundColor: background }}>
      <div role="presentation" className={styles.host} onClick={handleClick} onKeyDown={handleKeyDown}>
        <div ref={host} className={styles.host} />
      </div>
      <section className={styles.card} aria-label={title}>
        <h1 className={styles.title}>{title}</h1>
        {choice?.(rotating)}
        {failure ? (
          <FailedState title={failure.title} message={failure.message} />
        ) : (
          <>
            <dl className={styles.details}>
              {allDetails.map(([name, value]) => (
                <div key={name} className={styles.pair}>
                  <dt>{name}</dt>
                  <dd className={styles.value}>{value}</dd>
                </div>
              ))}
            </dl>
            <div className={styles.actions}>
              <Button
                appearance="primary"
                disabled={rotating || !sample}
                onClick={() => sample && void measure(sample)}
              >
                {t(rotating ? 'core.check.testing' : 'core.check.test')}
              </Button>
              <RouteLink to={routes.home}>{t('core.check.home')}</RouteLink>
            </div>
            <span role="status" className={styles.visuallyHidden}>
              {rate === undefined || rotating ? '' : rateText}
            </span>
          </>
        )}
      </section>
    </div>
  );
}

const rotationMs = 10_000;

/**
 * Animates one rotation by 360 degrees and resolves at the end. Calls `rotateTo` for each frame with the degrees since
 * the start. They depend on the elapsed time only, so a slow device draws fewer frames.
 */
export function animateFullTurn(rotateTo: (degrees: number) => void): Promise<void> {
  return new Promise((resolve) => {
    const start = performance.now();
    const step = (now: number): void => {
      const elapsedMs = Math.max(0, now - start);
      rotateTo((elapsedMs / rotationMs) * 360);
      if (elapsedMs < rotationMs) requestAnimationFrame(step);
      else resolve();
    };
    requestAnimationFrame(step);
  });
}
