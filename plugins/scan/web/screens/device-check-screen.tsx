import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { routes } from '#core';
import { Button, FailedState, makeStyles, Tab, TabList, tokens } from '#core/ui';
import { I18n, RouteLink, useService, useText } from '#core/web';
import { FreeWalks, PanoramaEngines, WebGlUnavailable, type SurfacePick } from '#plugins/tour';
import { CloudSurfaces } from '../module/cloud-surfaces.ts';
import { showSampleBubble, showSampleCloud, type ShownSample } from './shown-sample.ts';

const useStyles = makeStyles({
  root: { position: 'relative', height: '100%', backgroundColor: '#0d0f12', overflow: 'hidden' },
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
  tabs: { marginLeft: '-10px' },
  facts: { display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: '16px', rowGap: '2px', margin: 0, fontSize: tokens.fontSizeBase200 },
  pair: { display: 'contents' },
  value: { margin: 0, textAlign: 'end', overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' },
  actions: { display: 'flex', alignItems: 'center', gap: '16px', flexWrap: 'wrap' },
  spoken: { position: 'absolute', clipPath: 'inset(50%)' },
});

/** Milliseconds of one turn around. */
const oneTurn = 10_000;

type Way = 'PICTURE' | 'CLOUD';
type State = 'loading' | 'shown' | 'noWebGl' | 'failed';

/** The scan viewer alone on a built-in sample, as a picture with ranges and as a point cloud: what this device draws them with, how fast, and where what one clicks lies. */
export default function DeviceCheckScreen() {
  const styles = useStyles();
  const t = useText();
  const engines = useService(PanoramaEngines);
  const clouds = useService(CloudSurfaces);
  const walks = useService(FreeWalks);
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [way, setWay] = useState<Way>('PICTURE');
  const [state, setState] = useState<State>('loading');
  const [sample, setSample] = useState<ShownSample>();
  const [statistics, setStatistics] = useState<ShownSample['statistics']>();
  const [place, setPlace] = useState<SurfacePick>();
  const [rate, setRate] = useState<number>();
  const [testing, setTesting] = useState(false);
  const label = t(way === 'CLOUD' ? 'scan.check.sampleCloud' : 'scan.check.sample');

  useEffect(() => {
    let current = true;
    let leave = (): void => undefined;
    const begin = async (parent: HTMLElement): Promise<void> => {
      const shown = await (way === 'CLOUD' ? showSampleCloud(clouds, walks, parent, label) : showSampleBubble(engines, parent, label));
      if (!current) return shown.leave();
      const timer = setInterval(() => setStatistics(shown.statistics), 500);
      leave = () => {
        clearInterval(timer);
        shown.leave();
      };
      setSample(shown);
      setStatistics(shown.statistics);
      setState('shown');
    };
    if (host.current) begin(host.current).catch((error: unknown) => current && setState(error instanceof WebGlUnavailable ? 'noWebGl' : 'failed'));
    return () => {
      current = false;
      leave();
    };
  }, [clouds, walks, engines, label, way]);

  const choose = (next: Way): void => {
    if (next === way) return;
    setWay(next);
    setState('loading');
    setSample(undefined);
    setStatistics(undefined);
    setPlace(undefined);
    setRate(undefined);
  };

  const pick = async (event: MouseEvent): Promise<void> => {
    const box = host.current?.getBoundingClientRect();
    if (box && sample) setPlace(await sample.pick(event.clientX - box.left, event.clientY - box.top));
  };

  /** Turns by the clock, a frame at a time, so that the frames count and not the way. */
  const test = (shown: ShownSample): void => {
    setTesting(true);
    const start = performance.now();
    const { frames } = shown.statistics;
    const pan = shown.pan();
    const step = (now: number): void => {
      const passed = Math.max(0, now - start);
      shown.look(pan + (passed / oneTurn) * 360);
      if (passed < oneTurn) {
        requestAnimationFrame(step);
        return;
      }
      setRate((shown.statistics.frames - frames) / (passed / 1000));
      setTesting(false);
    };
    requestAnimationFrame(step);
  };

  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const point = place?.point;
  const facts: readonly (readonly [string, string])[] = statistics
    ? [
        [t('scan.check.renderer'), statistics.renderer],
        [t('scan.check.screen'), `${window.innerWidth} x ${window.innerHeight} @ ${number.format(window.devicePixelRatio)}`],
        [t(way === 'CLOUD' ? 'scan.check.points' : 'scan.check.tiles'), number.format(statistics.shown)],
        [t('scan.check.place'), point ? t('scan.check.placeValue', { x: point[0], y: point[1], z: point[2] }) : t('scan.check.noPlace')],
        [t('scan.check.rate'), rate === undefined ? '-' : t('scan.check.rateValue', { rate: number.format(rate) })],
      ]
    : [];
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} onClick={(event) => void pick(event)} />
      <section className={styles.card} aria-label={t('scan.check.title')}>
        <h1 className={styles.title}>{t('scan.check.title')}</h1>
        <TabList size="small" className={styles.tabs} aria-label={t('scan.way')} selectedValue={way} onTabSelect={(_, { value }) => choose(value as Way)}>
          <Tab value="PICTURE" disabled={testing}>
            {t('scan.picture')}
          </Tab>
          <Tab value="CLOUD" disabled={testing}>
            {t('scan.cloud')}
          </Tab>
        </TabList>
        {state === 'noWebGl' ? <FailedState title={t('scan.noWebGl')} message={t('scan.noWebGlHint')} /> : null}
        {state === 'failed' ? <FailedState title={t('scan.check.failed')} message={t('scan.check.failedHint')} /> : null}
        {state === 'loading' || state === 'shown' ? (
          <>
            <dl className={styles.facts}>
              {facts.map(([name, value]) => (
                <div key={name} className={styles.pair}>
                  <dt>{name}</dt>
                  <dd className={styles.value}>{value}</dd>
                </div>
              ))}
            </dl>
            <div className={styles.actions}>
              <Button appearance="primary" disabled={testing || !sample} onClick={() => sample && test(sample)}>
                {t(testing ? 'scan.check.testing' : 'scan.check.test')}
              </Button>
              <RouteLink to={routes.home}>{t('scan.check.home')}</RouteLink>
            </div>
            <span role="status" className={styles.spoken}>
              {rate === undefined || testing ? '' : t('scan.check.rateValue', { rate: number.format(rate) })}
            </span>
          </>
        ) : null}
      </section>
    </div>
  );
}
