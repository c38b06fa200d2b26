import { useEffect, useRef, useState } from 'react';
import { routes } from '#core';
import { Button, FailedState, makeStyles, tokens } from '#core/ui';
import { Appearance, I18n, RouteLink, useService, useText } from '#core/web';
import { WebGlUnavailable } from '#plugins/tour';
import type { ModelEngine, ModelStatistics } from '../engine/engine-types.ts';
import { ModelEngines } from '../module/model-engines.ts';

const useStyles = makeStyles({
  root: { position: 'relative', height: '100%', backgroundColor: tokens.colorNeutralBackground4, overflow: 'hidden' },
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
  facts: { display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: '16px', rowGap: '2px', margin: 0, fontSize: tokens.fontSizeBase200 },
  value: { margin: 0, textAlign: 'end', overflowWrap: 'anywhere' },
  actions: { display: 'flex', alignItems: 'center', gap: '16px', flexWrap: 'wrap' },
});

const oneTurn = 10_000;
/** From the corner of the sample, over all of it. */
const firstView = { position: [-6, -9, 6] as const, pan: 42, tilt: -14, fov: 60 };

type State = 'loading' | 'shown' | 'noWebGl' | 'failed';

/** The 3D viewer alone on a built-in sample: what this device draws it with, and how fast. */
export default function DeviceCheckScreen() {
  const styles = useStyles();
  const t = useText();
  const engines = useService(ModelEngines);
  const { dark } = useService(Appearance);
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<ModelEngine>();
  const [state, setState] = useState<State>('loading');
  const [statistics, setStatistics] = useState<ModelStatistics>();
  const [rate, setRate] = useState<number>();
  const [testing, setTesting] = useState(false);
  const label = t('model-3d.check.sample');

  useEffect(() => {
    let current = true;
    let leave = (): void => undefined;
    const begin = async (): Promise<void> => {
      const [made, sample] = await Promise.all([engines.make(), engines.sample()]);
      if (!current || !host.current) return made.dispose();
      made.show(sample);
      made.setState(firstView);
      const detach = made.attach(host.current, { label });
      const timer = setInterval(() => setStatistics(made.statistics), 500);
      leave = () => {
        clearInterval(timer);
        detach();
        made.dispose();
      };
      setEngine(made);
      setState('shown');
    };
    begin().catch((error: unknown) => current && setState(error instanceof WebGlUnavailable ? 'noWebGl' : 'failed'));
    return () => {
      current = false;
      leave();
    };
  }, [engines, label]);
  useEffect(() => engine?.setDark(dark), [engine, dark]);

  /** Turns by the clock, a frame at a time, so that the frames count and not the way. */
  const test = (): void => {
    if (!engine) return;
    setTesting(true);
    const start = performance.now();
    const { frames } = engine.statistics;
    const { pan } = engine.state;
    const step = (now: number): void => {
      const passed = now - start;
      engine.setState({ pan: pan + (passed / oneTurn) * 360 });
      if (passed < oneTurn) {
        requestAnimationFrame(step);
        return;
      }
      setRate((engine.statistics.frames - frames) / (passed / 1000));
      setTesting(false);
    };
    requestAnimationFrame(step);
  };

  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const facts: readonly (readonly [string, string])[] = statistics
    ? [
        [t('model-3d.check.renderer'), statistics.renderer],
        [t('model-3d.check.screen'), `${window.innerWidth} x ${window.innerHeight} @ ${number.format(window.devicePixelRatio)}`],
        [t('model-3d.check.objects'), number.format(statistics.objects)],
        [t('model-3d.check.triangles'), number.format(statistics.triangles)],
        [t('model-3d.check.drawCalls'), number.format(statistics.drawCalls)],
        [t('model-3d.check.rate'), rate === undefined ? '-' : t('model-3d.check.rateValue', { rate: number.format(rate) })],
      ]
    : [];
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      <section className={styles.card} aria-label={t('model-3d.check.title')}>
        <h1 className={styles.title}>{t('model-3d.check.title')}</h1>
        {state === 'noWebGl' ? <FailedState title={t('model-3d.noWebGl')} message={t('model-3d.noWebGlHint')} /> : null}
        {state === 'failed' ? <FailedState title={t('model-3d.failed')} message={t('model-3d.failedHint')} /> : null}
        {state === 'loading' || state === 'shown' ? (
          <>
            <dl className={styles.facts}>
              {facts.map(([name, value]) => (
                <div key={name} style={{ display: 'contents' }}>
                  <dt>{name}</dt>
                  <dd className={styles.value}>{value}</dd>
                </div>
              ))}
            </dl>
            <div className={styles.actions}>
              <Button appearance="primary" disabled={testing || state === 'loading'} onClick={test}>
                {t(testing ? 'model-3d.check.testing' : 'model-3d.check.test')}
              </Button>
              <RouteLink to={routes.home}>{t('model-3d.check.home')}</RouteLink>
            </div>
            <span role="status" style={{ position: 'absolute', clipPath: 'inset(50%)' }}>
              {rate === undefined || testing ? '' : t('model-3d.check.rateValue', { rate: number.format(rate) })}
            </span>
          </>
        ) : null}
      </section>
    </div>
  );
}
