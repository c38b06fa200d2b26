import { useEffect, useRef, useState } from 'react';
import { DeviceCheck, type DeviceCheckSample } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { PanoramaEngines, WebGlUnavailable, type PanoramaEngine, type PanoramaStatistics } from '#plugins/tour';
import { createSamplePicture } from '../viewer/sample/sample-picture.ts';

/** Duration of a full turn. */
const turnMs = 10_000;

/** Tests the device with a built-in panorama: shows the name of the graphics card and measures the frame rate. */
export default function DeviceCheckScreen() {
  const t = useText();
  const engines = useService(PanoramaEngines);
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [sample, setSample] = useState<DeviceCheckSample>();
  const [isWebGlMissing, setWebGlMissing] = useState(false);
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
      setWebGlMissing(true);
      return undefined;
    }
    void engine.show(createSamplePicture(), { view: { pan: 0, tilt: 0, fov: 75 } });
    setSample({
      renderer: engine.statistics.renderer,
      frames: () => engine.statistics.frames,
      rotate: () => turnCamera(engine),
    });
    setStatistics(engine.statistics);
    const timer = setInterval(() => setStatistics(engine.statistics), 500);
    return () => {
      clearInterval(timer);
      detach();
    };
  }, [engines, label]);

  const formatter = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const details: readonly (readonly [string, string])[] = statistics
    ? [
        [t('vr.check.textureSize'), formatter.format(statistics.maximumTextureSize)],
        [t('vr.check.level'), formatter.format(statistics.levelWidth)],
        [
          t('vr.check.tiles'),
          t('vr.check.tilesValue', { shown: statistics.tilesOnScreen, held: statistics.tilesHeld }),
        ],
        [t('vr.check.drawCalls'), formatter.format(statistics.drawCalls)],
        [
          t('vr.check.memory'),
          t('vr.check.memoryValue', { megabytes: formatter.format(statistics.textureBytes / 1e6) }),
        ],
      ]
    : [];
  return (
    <DeviceCheck
      title={t('vr.check.title')}
      host={host}
      background="#000"
      sample={sample}
      failure={isWebGlMissing ? { title: t('vr.noWebGl'), message: t('vr.noWebGlHint') } : undefined}
      details={details}
    />
  );
}

async function turnCamera(engine: PanoramaEngine): Promise<void> {
  const { pan } = engine.view;
  for (const third of [1, 2, 3]) await engine.turnTo({ pan: pan + third * 120 }, turnMs / 3);
}
