import { useEffect, useRef, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { makeStyles, PictureNotes, tokens } from '#core/ui';
import { HttpClient, useService, useText } from '#core/web';
import { CameraControllers, TourStore, TourTools, Viewers, ViewSurfaces } from '#plugins/tour';
import { usePinStyles } from '../viewer/use-pin-styles.ts';
import { CloudSurfaces } from '../viewer/cloud-surfaces.ts';
import { ScanChoices } from '../stores/scan-choices.ts';
import { ScanState } from './scan-state.tsx';
import { CloudController } from '../viewer/point-cloud/cloud-controller.ts';
import { AppearancePanel } from './appearance-panel.tsx';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, backgroundColor: '#0d0f12', color: tokens.colorNeutralForeground1 },
  host: {
    position: 'absolute',
    inset: 0,
    '& > [role="application"]:focus-visible': { outline: '2px solid #fff', outlineOffset: '-3px' },
  },
});

const directionLabels = {
  N: 'scan.toNorth',
  NE: 'scan.toNorthEast',
  E: 'scan.toEast',
  SE: 'scan.toSouthEast',
  S: 'scan.toSouth',
  SW: 'scan.toSouthWest',
  W: 'scan.toWest',
  NW: 'scan.toNorthWest',
  UP: 'scan.above',
  DOWN: 'scan.below',
} as const;

/** Shows the point cloud from the tour's position. */
export const CloudView = observer(function CloudView() {
  const styles = useStyles();
  const pins = usePinStyles();
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const choices = useService(ScanChoices);
  const services = {
    clouds: useService(CloudSurfaces),
    cameras: useService(CameraControllers),
    choices,
    surfaces: useService(ViewSurfaces),
    store: useService(TourStore),
    tools: useService(TourTools),
    viewers: useService(Viewers),
    http: useService(HttpClient),
  };
  const [controller] = useState(() => new CloudController(services));
  const label = t('scan.cloudLabel');
  useEffect(
    () =>
      controller.setPresentation({
        pinClassName: pins.pin,
        labelClassName: pins.name,
        label: ({ name }) => t('scan.toPicture', { name }),
      }),
    [controller, t, pins],
  );
  useEffect(() => (host.current ? controller.start(host.current, label) : undefined), [controller, label]);
  const { status, contextLost, partsMissing } = controller.viewer;
  const isReady = status.state === 'ready';
  const { wayToCloud } = controller;
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      <ScanState
        status={status}
        name={controller.cloud?.name ?? services.store.opened?.tour.name ?? ''}
        onRetry={() => controller.retry()}
      />
      {choices.appearanceOpen && isReady ? <AppearancePanel controller={controller} /> : null}
      <PictureNotes
        graphicsLost={contextLost}
        partsMissing={partsMissing && isReady ? t('scan.partsMissing') : undefined}
        onRetry={() => controller.retry()}
        note={
          wayToCloud && isReady
            ? {
                message:
                  wayToCloud.metres === 0
                    ? t('scan.otherCloudHere', { name: wayToCloud.cloud.name })
                    : t('scan.noPointsHere', {
                        name: wayToCloud.cloud.name,
                        metres: wayToCloud.metres,
                        direction: t(directionLabels[wayToCloud.direction]),
                      }),
                action: t(wayToCloud.metres === 0 ? 'scan.showCloud' : 'scan.goToCloud'),
                onAction: () => controller.goToCloud(),
              }
            : undefined
        }
      />
    </div>
  );
});
