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
  facts: {
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

/** A sample view that a device check renders and rotates. */
export interface CheckedSample {
  /** Name of the graphics card; empty if the browser hides it. */
  readonly renderer: string;
  /** Frames drawn since the start. */
  readonly frames: () => number;
  /** Rotates once by 360 degrees; resolves at the end. */
  readonly turn: () => Promise<void>;
}

export interface DeviceCheckProps {
  readonly title: string;
  /** The element that contains the sample. */
  readonly host: Ref<HTMLDivElement>;
  /** Background colour of the sample. */
  readonly background: string;
  /** Undefined before the first sample is ready. */
  readonly sample: CheckedSample | undefined;
  /** Message about what this device cannot show. */
  readonly failure: { readonly title: string; readonly message: string } | undefined;
  /** Facts listed between the graphics card and the window size, before the frame rate. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Called for a click in the sample, or Enter for its centre. Pixels from the sample's upper left corner. */
  readonly onPick?: (x: number, y: number) => void;
  /** Shown under the title; must not change while the sample rotates. */
  readonly choice?: (turning: boolean) => ReactNode;
}

/**
 * Full-screen sample of a viewer, with a card that shows the graphics card and the frame rate. Measures again when the
 * sample changes.
 */
export function DeviceCheck({ title, host, background, sample, failure, facts, onPick, choice }: DeviceCheckProps) {
  const styles = useStyles();
  const t = useText();
  const { language } = useService(I18n);
  const [turning, setTurning] = useState(false);
  const [measured, setMeasured] = useState<{ readonly sample: CheckedSample; readonly rate: number }>();
  const rate = measured && measured.sample === sample ? measured.rate : undefined;

  const test = async (checked: CheckedSample): Promise<void> => {
    setTurning(true);
    const [start, frames] = [performance.now(), checked.frames()];
    await checked.turn();
    setMeasured({ sample: checked, rate: (checked.frames() - frames) / ((performance.now() - start) / 1000) });
    setTurning(false);
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
  const all: typeof facts = sample
    ? [
        [t('core.check.renderer'), sample.renderer],
        [
          t('core.check.screen'),
          `${window.innerWidth} x ${window.innerHeight} @ ${number.format(window.devicePixelRatio)}`,
        ],
        ...facts,
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
        {choice?.(turning)}
        {failure ? (
          <FailedState title={failure.title} message={failure.message} />
        ) : (
          <>
            <dl className={styles.facts}>
              {all.map(([name, value]) => (
                <div key={name} className={styles.pair}>
                  <dt>{name}</dt>
                  <dd className={styles.value}>{value}</dd>
                </div>
              ))}
            </dl>
            <div className={styles.actions}>
              <Button appearance="primary" disabled={turning || !sample} onClick={() => sample && void test(sample)}>
                {t(turning ? 'core.check.testing' : 'core.check.test')}
              </Button>
              <RouteLink to={routes.home}>{t('core.check.home')}</RouteLink>
            </div>
            <span role="status" className={styles.visuallyHidden}>
              {rate === undefined || turning ? '' : rateText}
            </span>
          </>
        )}
      </section>
    </div>
  );
}

const turnMs = 10_000;

/**
 * Rotates by elapsed time, one frame at a time, so that a slow device draws fewer frames. Calls back with the degrees
 * from the start.
 */
export function turnByClock(look: (degrees: number) => void): Promise<void> {
  return new Promise((resolve) => {
    const start = performance.now();
    const step = (now: number): void => {
      const passed = Math.max(0, now - start);
      look((passed / turnMs) * 360);
      if (passed < turnMs) requestAnimationFrame(step);
      else resolve();
    };
    requestAnimationFrame(step);
  });
}
