import { useEffect, useRef, useState } from 'react';
import { DeviceCheck, tokens, rotateByClock, type CheckedSample } from '#core/ui';
import { Appearance, I18n, useService, useText } from '#core/web';
import { WebGlUnavailable } from '#plugins/tour';
import type { ModelEngine, ModelStatistics } from '../viewer/engine-types.ts';
import { ModelEngines } from '../viewer/model-engines.ts';

/** Initial view from the corner of the sample. */
const firstView = { position: [-6, -9, 6] as const, pan: 42, tilt: -14, fov: 60 };

/** The 3D viewer with a built-in sample. Shows the device's renderer and its frame rate. */
export default function DeviceCheckScreen() {
  const t = useText();
  const engines = useService(ModelEngines);
  const { dark } = useService(Appearance);
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<ModelEngine>();
  const [sample, setSample] = useState<CheckedSample>();
  const [failure, setFailure] = useState<'noWebGl' | 'failed'>();
  const [statistics, setStatistics] = useState<ModelStatistics>();
  const label = t('model-3d.check.sample');

  useEffect(() => {
    let current = true;
    let leave = (): void => undefined;
    const begin = async (): Promise<void> => {
      const [made, content] = await Promise.all([engines.make(), engines.sample()]);
      if (!current || !host.current) return made.dispose();
      made.show(content);
      made.setState(firstView);
      const detach = made.attach(host.current, { label });
      const timer = setInterval(() => setStatistics(made.statistics), 500);
      leave = () => {
        clearInterval(timer);
        detach();
        made.dispose();
      };
      setEngine(made);
      setStatistics(made.statistics);
      setSample({ renderer: made.statistics.renderer, frames: () => made.statistics.frames, rotate: () => turn(made) });
    };
    begin().catch((error: unknown) => current && setFailure(error instanceof WebGlUnavailable ? 'noWebGl' : 'failed'));
    return () => {
      current = false;
      leave();
    };
  }, [engines, label]);
  useEffect(() => engine?.setDark(dark), [engine, dark]);

  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const facts: readonly (readonly [string, string])[] = statistics
    ? [
        [t('model-3d.check.objects'), number.format(statistics.objects)],
        [t('model-3d.check.triangles'), number.format(statistics.triangles)],
        [t('model-3d.check.drawCalls'), number.format(statistics.drawCalls)],
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
          message: t(failure === 'noWebGl' ? 'model-3d.noWebGlHint' : 'model-3d.failedHint'),
        }
      }
      facts={facts}
    />
  );
}

function turn(engine: ModelEngine): Promise<void> {
  const { pan } = engine.state;
  return rotateByClock((degrees) => engine.setState({ pan: pan + degrees }));
}
