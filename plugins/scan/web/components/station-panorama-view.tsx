import { useEffect, useRef, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { makeStyles, PictureNotes } from '#core/ui';
import { HttpClient, useService, useText } from '#core/web';
import { PanoramaEngines, TourStore, TourTools, Viewers, ViewSurfaces } from '#plugins/tour';
import { ScanState } from './scan-state.tsx';
import { StationPanoramaController } from '../viewer/station-panorama/station-panorama-controller.ts';
import { usePinStyles } from '../viewer/use-pin-styles.ts';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, backgroundColor: '#000' },
  host: { position: 'absolute', inset: 0 },
});

/** Shows the scan station of the current node as a panorama with a range for each pixel. */
export const StationPanoramaView = observer(function StationPanoramaView() {
  const styles = useStyles();
  const pins = usePinStyles();
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const services = {
    engines: useService(PanoramaEngines),
    surfaces: useService(ViewSurfaces),
    store: useService(TourStore),
    tools: useService(TourTools),
    viewers: useService(Viewers),
    http: useService(HttpClient),
  };
  const [controller] = useState(() => new StationPanoramaController(services));
  const label = t('scan.bubble');
  useEffect(
    () => controller.setPresentation({ t, pinClassName: pins.pin, labelClassName: pins.name }),
    [controller, t, pins],
  );
  useEffect(() => (host.current ? controller.start(host.current, label) : undefined), [controller, label]);
  const { viewer } = controller;
  const { status, contextLost, partsMissing, nodeOnScreen, unreachableNode } = viewer;
  const name = controller.station?.name ?? services.store.currentNode?.name ?? '';
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      <ScanState status={status} name={name} onRetry={() => controller.retry()} />
      <PictureNotes
        graphicsLost={contextLost}
        partsMissing={partsMissing && status.state === 'ready' ? t('scan.pictureMissing') : undefined}
        onRetry={() => controller.retry()}
        note={
          unreachableNode && {
            message: t('scan.unreachable', { name: unreachableNode.name, shown: nodeOnScreen?.name ?? '' }),
            action: t('scan.tryAgain'),
            onAction: () => viewer.goToUnreachableNode(),
            onClose: () => viewer.dismissUnreachableNode(),
          }
        }
      />
    </div>
  );
});
