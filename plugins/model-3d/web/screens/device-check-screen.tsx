import { useEffect, useRef, useState } from 'react';
import { DeviceCheck, tokens, animateFullTurn, type DeviceCheckSample } from '#core/ui';
import { Appearance, I18n, useService, useText } from '#core/web';
import { WebGlUnavailable } from '#plugins/tour';
import type { ModelEngine, ModelStatistics } from '../viewer/engine-types.ts';
import { ModelEngines } from '../viewer/model-engines.ts';

/** Camera at a corner of the sample, in metres and degrees. */
const initialView = { position: [-6, -9, 6] as const, pan: 42, tilt: -14, fov: 60 };

/** Tests the device with a built-in 3D model: shows the name of the graphics card and measures the frame rate. */
export default function DeviceCheckScreen() {
  const t = useText();
  const engines = useService(ModelEngines);
  const { dark } = useService(Appearance);
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<ModelEngine>();
  const [sample, setSample] = useState<DeviceCheckSample>();
  const [failure, setFailure] = useState<'noWebGl' | 'failed'>();
  const [statistics, setStatistics] = useState<ModelStatistics>();
  const label = t('model-3d.check.sample');

  useEffect(() => {
    let isMounted = true;
    let release = (): void => undefined;
    const start = async (): Promise<void> => {
      const [newEngine, content] = await Promise.all([engines.createEngine(), engines.createSample()]);
      if (!isMounted || !host.current) return newEngine.dispose();
      newEngine.show(content);
      newEngine.setView(initialView);
      const detach = newEngine.attach(host.current, { label });
      const timer = setInterval(() => setStatistics(newEngine.statistics), 500);
      release = () => {
        clearInterval(timer);
        detach();
        newEngine.dispose();
      };
      setEngine(newEngine);
      setStatistics(newEngine.statistics);
      setSample({
        renderer: newEngine.statistics.renderer,
        frames: () => newEngine.statistics.frames,
        rotate: () => turnCamera(newEngine),
      });
    };
    start().catch(
      (error: unknown) => isMounted && setFailure(error instanceof WebGlUnavailable ? 'noWebGl' : 'failed'),
    );
    return () => {
      isMounted = false;
      release();
    };
  }, [engines, label]);
  useEffect(() => engine?.setDark(dark), [engine, dark]);

  const formatter = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const details: readonly (readonly [string, string])[] = statistics
    ? [
        [t('model-3d.check.objects'), formatter.format(statistics.objects)],
        [t('model-3d.check.triangles'), formatter.format(statistics.triangles)],
        [t('model-3d.check.drawCalls'), formatter.format(statistics.drawCalls)],
      ]
    : [];
  return (
    <DeviceCheck
      title={t('model-3d.check.title')}
      host={host}
      background={tokens.colorNeutralBackground4}
      sample={sample}
      failure={
        failure && {
          title: t(failure === 'noWebGl' ? 'model-3d.noWebGl' : 'model-3d.failed'),
          message: t(failure === 'noWebGl' ? 'model-3d.noWebGlHint' : 'model-3d.check.failedHint'),
        }
      }
      details={details}
    />
  );
}

function turnCamera(engine: ModelEngine): Promise<void> {
  const { pan } = engine.view;
  return animateFullTurn((degrees) => engine.setView({ pan: pan + degrees }));
}
