import { useEffect, useRef, useState } from 'react';
import { DeviceCheck, makeStyles, Tab, TabList, animateFullTurn, type DeviceCheckSample } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { CameraControllers, PanoramaEngines, WebGlUnavailable, type SurfacePick } from '#plugins/tour';
import { CloudSurfaces } from '../viewer/cloud-surfaces.ts';
import { showSamplePanorama, showSampleCloud, type ShownSample } from '../viewer/sample/shown-sample.ts';

const useStyles = makeStyles({ tabs: { marginLeft: '-10px' } });

type Mode = 'PICTURE' | 'CLOUD';

interface LoadedSample {
  readonly shownSample: ShownSample;
  readonly checkSample: DeviceCheckSample;
}

/**
 * Tests the device with a built-in sample, as a panorama and as a point cloud. Shows the name of the graphics card, the
 * measured frame rate and the position of the last click.
 */
export default function DeviceCheckScreen() {
  const styles = useStyles();
  const t = useText();
  const engines = useService(PanoramaEngines);
  const clouds = useService(CloudSurfaces);
  const cameras = useService(CameraControllers);
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>('PICTURE');
  const [failure, setFailure] = useState<'noWebGl' | 'failed'>();
  const [loadedSample, setLoadedSample] = useState<LoadedSample>();
  const [shownCount, setShownCount] = useState<number>();
  const [picked, setPicked] = useState<SurfacePick>();
  const label = t(mode === 'CLOUD' ? 'scan.check.sampleCloud' : 'scan.check.sample');

  useEffect(() => {
    let isCurrent = true;
    let stop = (): void => undefined;
    const start = async (parent: HTMLElement): Promise<void> => {
      const sample = await (mode === 'CLOUD'
        ? showSampleCloud(clouds, cameras, parent, label)
        : showSamplePanorama(engines, parent, label));
      if (!isCurrent) return sample.close();
      const timer = setInterval(() => setShownCount(sample.statistics.shown), 500);
      stop = () => {
        clearInterval(timer);
        sample.close();
      };
      setLoadedSample({
        shownSample: sample,
        checkSample: {
          renderer: sample.statistics.renderer,
          frames: () => sample.statistics.frames,
          rotate: () => turnAround(sample),
        },
      });
      setShownCount(sample.statistics.shown);
    };
    if (host.current)
      start(host.current).catch(
        (error: unknown) => isCurrent && setFailure(error instanceof WebGlUnavailable ? 'noWebGl' : 'failed'),
      );
    return () => {
      isCurrent = false;
      stop();
    };
  }, [clouds, cameras, engines, label, mode]);

  const choose = (next: Mode): void => {
    if (next === mode) return;
    setMode(next);
    setFailure(undefined);
    setLoadedSample(undefined);
    setShownCount(undefined);
    setPicked(undefined);
  };

  const pick = async (x: number, y: number): Promise<void> => {
    if (loadedSample) setPicked(await loadedSample.shownSample.pick(x, y));
  };

  const point = picked?.point;
  return (
    <DeviceCheck
      title={t('scan.check.title')}
      host={host}
      background="#0d0f12"
      sample={loadedSample?.checkSample}
      failure={
        failure && {
          title: t(failure === 'noWebGl' ? 'scan.noWebGl' : 'scan.check.failed'),
          message: t(failure === 'noWebGl' ? 'scan.noWebGlHint' : 'scan.check.failedHint'),
        }
      }
      details={[
        [
          t(mode === 'CLOUD' ? 'scan.check.points' : 'scan.check.tiles'),
          shownCount === undefined ? '-' : new Intl.NumberFormat(language).format(shownCount),
        ],
        [
          t('scan.check.place'),
          point ? t('scan.check.placeValue', { x: point[0], y: point[1], z: point[2] }) : t('scan.check.noPlace'),
        ],
      ]}
      onPick={(x, y) => void pick(x, y)}
      choice={(turning) => (
        <TabList
          size="small"
          className={styles.tabs}
          aria-label={t('scan.way')}
          selectedValue={mode}
          onTabSelect={(_, { value }) => choose(value as Mode)}
        >
          <Tab value="PICTURE" disabled={turning}>
            {t('scan.picture')}
          </Tab>
          <Tab value="CLOUD" disabled={turning}>
            {t('scan.cloud')}
          </Tab>
        </TabList>
      )}
    />
  );
}

function turnAround(sample: ShownSample): Promise<void> {
  const pan = sample.getPan();
  return animateFullTurn((degrees) => sample.setPan(pan + degrees));
}
