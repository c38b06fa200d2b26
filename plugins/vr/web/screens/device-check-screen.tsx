import { useEffect, useRef, useState } from 'react';
import { routes } from '#core';
import { Button, FailedState, makeStyles, tokens } from '#core/ui';
import { I18n, RouteLink, useService, useText } from '#core/web';
import { PanoramaEngines, WebGlUnavailable, type PanoramaEngine, type PanoramaStatistics } from '#plugins/tour';
import { samplePicture } from '../sample/sample-picture.ts';

const useStyles = makeStyles({
  root: { position: 'relative', height: '100%', backgroundColor: '#000', overflow: 'hidden' },
  host: { position: 'absolute', inset: 0 },
  card: {
    position: 'absolute',
    top: '8px',
    left: '8px',
    width: 'min(340px, calc(100% - 16px))',
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

/** Milliseconds of one turn around. */
const oneTurn = 10_000;

/** The panorama alone on a built-in sample: what this device draws it with, and how fast. */
export default function DeviceCheckScreen() {
  const styles = useStyles();
  const t = useText();
  const engines = useService(PanoramaEngines);
  const [engine, setEngine] = useState<PanoramaEngine>();
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [missing, setMissing] = useState(false);
  const [statistics, setStatistics] = useState<PanoramaStatistics>();
  const [rate, setRate] = useState<number>();
  const [testing, setTesting] = useState(false);
  const label = t('vr.check.sample');

  useEffect(() => {
    if (!host.current) return undefined;
    let detach: () => void;
    const engine = engines.of('vr.check');
    try {
      detach = engine.attach(host.current, { label });
    } catch (error) {
      if (!(error instanceof WebGlUnavailable)) throw error;
      setMissing(true);
      return undefined;
    }
    setEngine(engine);
    void engine.show(samplePicture(), { view: { pan: 0, tilt: 0, fov: 75 } });
    const timer = setInterval(() => setStatistics(engine.statistics), 500);
    return () => {
      clearInterval(timer);
      detach();
    };
  }, [engines, label]);

  const test = async (engine: PanoramaEngine): Promise<void> => {
    setTesting(true);
    const start = performance.now();
    const { frames } = engine.statistics;
    const pan = engine.view.pan;
    for (const share of [1, 2, 3]) await engine.turnTo({ pan: pan + share * 120 }, oneTurn / 3);
    setRate((engine.statistics.frames - frames) / ((performance.now() - start) / 1000));
    setTesting(false);
  };

  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const facts: readonly (readonly [string, string])[] = statistics
    ? [
        [t('vr.check.renderer'), statistics.renderer],
        [t('vr.check.textureSize'), number.format(statistics.maximumTextureSize)],
        [t('vr.check.screen'), `${window.innerWidth} x ${window.innerHeight} @ ${number.format(window.devicePixelRatio)}`],
        [t('vr.check.level'), number.format(statistics.levelWidth)],
        [t('vr.check.tiles'), t('vr.check.tilesValue', { shown: statistics.tilesOnScreen, held: statistics.tilesHeld })],
        [t('vr.check.drawCalls'), number.format(statistics.drawCalls)],
        [t('vr.check.memory'), t('vr.check.memoryValue', { megabytes: number.format(statistics.textureBytes / 1e6) })],
        [t('vr.check.rate'), rate === undefined ? '-' : t('vr.check.rateValue', { rate: number.format(rate) })],
      ]
    : [];
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      <section className={styles.card} aria-label={t('vr.check.title')}>
        <h1 className={styles.title}>{t('vr.check.title')}</h1>
        {missing ? (
          <FailedState title={t('vr.noWebGl')} message={t('vr.noWebGlHint')} />
        ) : (
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
              <Button appearance="primary" disabled={testing || !engine} onClick={() => engine && void test(engine)}>
                {t(testing ? 'vr.check.testing' : 'vr.check.test')}
              </Button>
              <RouteLink to={routes.home}>{t('vr.check.home')}</RouteLink>
            </div>
            <span role="status" style={{ position: 'absolute', clipPath: 'inset(50%)' }}>
              {rate === undefined || testing ? '' : t('vr.check.rateValue', { rate: number.format(rate) })}
            </span>
          </>
        )}
      </section>
    </div>
  );
}
