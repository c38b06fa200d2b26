import { useEffect, useRef, useState } from 'react';
import { DeviceCheck, makeStyles, Tab, TabList, rotateByClock, type CheckedSample } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { CameraControllers, PanoramaEngines, WebGlUnavailable, type SurfacePick } from '#plugins/tour';
import { CloudSurfaces } from '../viewer/cloud-surfaces.ts';
import { showSampleBubble, showSampleCloud, type ShownSample } from '../viewer/sample/shown-sample.ts';

const useStyles = makeStyles({ tabs: { marginLeft: '-10px' } });

type Way = 'PICTURE' | 'CLOUD';

interface Shown {
  readonly sample: ShownSample;
  readonly checked: CheckedSample;
}

/**
 * Shows the scan viewer with a built-in sample, as a panorama and as a point cloud, with the graphics card, the frame
 * rate and the position of each click.
 */
export default function DeviceCheckScreen() {
  const styles = useStyles();
  const t = useText();
  const engines = useService(PanoramaEngines);
  const clouds = useService(CloudSurfaces);
  const walks = useService(CameraControllers);
  const { language } = useService(I18n);
  const host = useRef<HTMLDivElement>(null);
  const [way, setWay] = useState<Way>('PICTURE');
  const [failure, setFailure] = useState<'noWebGl' | 'failed'>();
  const [shown, setShown] = useState<Shown>();
  const [count, setCount] = useState<number>();
  const [place, setPlace] = useState<SurfacePick>();
  const label = t(way === 'CLOUD' ? 'scan.check.sampleCloud' : 'scan.check.sample');

  useEffect(() => {
    let current = true;
    let leave = (): void => undefined;
    const begin = async (parent: HTMLElement): Promise<void> => {
      const sample = await (way === 'CLOUD'
        ? showSampleCloud(clouds, walks, parent, label)
        : showSampleBubble(engines, parent, label));
      if (!current) return sample.leave();
      const timer = setInterval(() => setCount(sample.statistics.shown), 500);
      leave = () => {
        clearInterval(timer);
        sample.leave();
      };
      setShown({
        sample,
        checked: {
          renderer: sample.statistics.renderer,
          frames: () => sample.statistics.frames,
          rotate: () => turn(sample),
        },
      });
      setCount(sample.statistics.shown);
    };
    if (host.current)
      begin(host.current).catch(
        (error: unknown) => current && setFailure(error instanceof WebGlUnavailable ? 'noWebGl' : 'failed'),
      );
    return () => {
      current = false;
      leave();
    };
  }, [clouds, walks, engines, label, way]);

  const choose = (next: Way): void => {
    if (next === way) return;
    setWay(next);
    setFailure(undefined);
    setShown(undefined);
    setCount(undefined);
    setPlace(undefined);
  };

  const pick = async (x: number, y: number): Promise<void> => {
    if (shown) setPlace(await shown.sample.pick(x, y));
  };

  const point = place?.point;
  return (
    <DeviceCheck
      title={t('scan.check.title')}
      host={host}
      background="#0d0f12"
      sample={shown?.checked}
      failure={
        failure && {
          title: t(failure === 'noWebGl' ? 'scan.noWebGl' : 'scan.check.failed'),
          message: t(failure === 'noWebGl' ? 'scan.noWebGlHint' : 'scan.check.failedHint'),
        }
      }
      facts={[
        [
          t(way === 'CLOUD' ? 'scan.check.points' : 'scan.check.tiles'),
          count === undefined ? '-' : new Intl.NumberFormat(language).format(count),
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
          selectedValue={way}
          onTabSelect={(_, { value }) => choose(value as Way)}
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

function turn(sample: ShownSample): Promise<void> {
  const pan = sample.pan();
  return rotateByClock((degrees) => sample.look(pan + degrees));
}
