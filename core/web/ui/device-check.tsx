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
  spoken: { position: 'absolute', clipPath: 'inset(50%)' },
});

/** What a device check shows and turns. */
export interface CheckedSample {
  /** Of the graphics card; empty where it does not tell. */
  readonly renderer: string;
  /** Drawn since it began. */
  readonly frames: () => number;
  /** Turns around once; resolves when it is done. */
  readonly turn: () => Promise<void>;
}

export interface DeviceCheckProps {
  readonly title: string;
  /** What the sample stands in. */
  readonly host: Ref<HTMLDivElement>;
  /** Colour behind the sample. */
  readonly background: string;
  /** Undefined while there is none. */
  readonly sample: CheckedSample | undefined;
  /** What cannot be shown, in words. */
  readonly failure: { readonly title: string; readonly message: string } | undefined;
  /** Between the graphics card and the window, and the rate of frames. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** A click into the sample, or Enter for its centre. In pixels from the sample's upper left corner. */
  readonly onPick?: (x: number, y: number) => void;
  /** Under the title; must change nothing while it turns. */
  readonly choice?: (turning: boolean) => ReactNode;
}

/**
 * A sample of a viewer over the whole screen, and a card with what the device draws it with and how fast. A sample that
 * changes is measured anew.
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
  const said = rate === undefined ? '-' : t('core.check.rateValue', { rate: number.format(rate) });
  const all: typeof facts = sample
    ? [
        [t('core.check.renderer'), sample.renderer],
        [
          t('core.check.screen'),
          `${window.innerWidth} x ${window.innerHeight} @ ${number.format(window.devicePixelRatio)}`,
        ],
        ...facts,
        [t('core.check.rate'), said],
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
            <span role="status" className={styles.spoken}>
              {rate === undefined || turning ? '' : said}
            </span>
          </>
        )}
      </section>
    </div>
  );
}

const oneTurn = 10_000;

/**
 * Turns by the clock, a frame at a time, so that the frames count and not the way. Told the degrees from where it
 * began.
 */
export function turnByClock(look: (degrees: number) => void): Promise<void> {
  return new Promise((resolve) => {
    const start = performance.now();
    const step = (now: number): void => {
      const passed = Math.max(0, now - start);
      look((passed / oneTurn) * 360);
      if (passed < oneTurn) requestAnimationFrame(step);
      else resolve();
    };
    requestAnimationFrame(step);
  });
}
