import { useEffect, useRef, useState } from 'react';
import { DeviceCheck, type CheckedSample } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { PanoramaEngines, WebGlUnavailable, type PanoramaEngine, type PanoramaStatistics } from '#plugins/tour';
import { samplePicture } from '../viewer/sample/sample-picture.ts';

/** Duration of a full turn, milliseconds. */
const oneTurn = 10_000;

/** The panorama viewer with a built-in sample: shows the renderer and the frame rate of this device. */
export default function DeviceCheckScreen() {
  const t = useText();
  const engines = useService(PanoramaEngines);
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [sample, setSample] = useState<CheckedSample>();
  const [missing, setMissing] = useState(false);
  const [statistics, setStatistics] = useState<PanoramaStatistics>();
  const label = t('vr.check.sample');

  useEffect(() => {
    if (!host.current) return undefined;
    let detach: () => void;
    const engine = engines.getEngine('vr.check');
    try {
      detach = engine.attach(host.current, { label });
    } catch (error) {
      if (!(error instanceof WebGlUnavailable)) throw error;
      setMissing(true);
      return undefined;
    }
    void engine.show(samplePicture(), { view: { pan: 0, tilt: 0, fov: 75 } });
    setSample({
      renderer: engine.statistics.renderer,
      frames: () => engine.statistics.frames,
      rotate: () => turn(engine),
    });
    setStatistics(engine.statistics);
    const timer = setInterval(() => setStatistics(engine.statistics), 500);
    return () => {
      clearInterval(timer);
      detach();
    };
  }, [engines, label]);

  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const facts: readonly (readonly [string, string])[] = statistics
    ? [
        [t('vr.check.textureSize'), number.format(statistics.maximumTextureSize)],
        [t('vr.check.level'), number.format(statistics.levelWidth)],
        [
          t('vr.check.tiles'),
          t('vr.check.tilesValue', { shown: statistics.tilesOnScreen, held: statistics.tilesHeld }),
        ],
        [t('vr.check.drawCalls'), number.format(statistics.drawCalls)],
        [t('vr.check.memory'), t('vr.check.memoryValue', { megabytes: number.format(statistics.textureBytes / 1e6) })],
      ]
    : [];
  return (
    <DeviceCheck
      title={t('vr.check.title')}
      host={host}
      background="#000"
      sample={sample}
      failure={missing ? { title: t('vr.noWebGl'), message: t('vr.noWebGlHint') } : undefined}
      facts={facts}
    />
  );
}

async function turn(engine: PanoramaEngine): Promise<void> {
  const { pan } = engine.view;
  for (const share of [1, 2, 3]) await engine.turnTo({ pan: pan + share * 120 }, oneTurn / 3);
}
