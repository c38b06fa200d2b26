import { useEffect, useRef, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { makeStyles, PictureNotes, tokens } from '#core/ui';
import { HttpClient, useService, useText } from '#core/web';
import { CameraControllers, TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { usePinStyles } from '../viewer/bubble/use-pin-styles.ts';
import { CloudSurfaces } from '../viewer/cloud-surfaces.ts';
import { ScanChoices } from '../stores/scan-choices.ts';
import { ScanState } from './scan-state.tsx';
import { CloudSession } from '../viewer/point-cloud/cloud-session.ts';
import { LookPanel } from './look-panel.tsx';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, backgroundColor: '#0d0f12', color: tokens.colorNeutralForeground1 },
  host: {
    position: 'absolute',
    inset: 0,
    '& > [role="application"]:focus-visible': { outline: '2px solid #fff', outlineOffset: '-3px' },
  },
});

/** All points of a scan, from where the tour's eye is. */
export const CloudView = observer(function CloudView() {
  const styles = useStyles();
  const pins = usePinStyles();
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const choices = useService(ScanChoices);
  const parts = {
    clouds: useService(CloudSurfaces),
    walks: useService(CameraControllers),
    choices,
    surfaces: useService(ViewSurfaces),
    store: useService(TourStore),
    tools: useService(TourTools),
    http: useService(HttpClient),
  };
  const [session] = useState(() => new CloudSession(parts));
  const label = t('scan.cloudLabel');
  useEffect(
    () =>
      session.setPresentation({ pin: pins.pin, name: pins.name, label: ({ name }) => t('scan.toPicture', { name }) }),
    [session, t, pins],
  );
  useEffect(() => (host.current ? session.start(host.current, label) : undefined), [session, label]);
  const shown = session.status === 'shown';
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      <ScanState
        status={session.status}
        name={session.cloud?.name ?? parts.store.opened?.tour.name ?? ''}
        onRetry={() => session.retry()}
      />
      {choices.lookOpen && shown ? <LookPanel session={session} /> : null}
      <PictureNotes
        graphicsLost={session.contextLost}
        partsMissing={session.partsMissing && shown ? t('scan.partsMissing') : undefined}
        onRetry={() => session.retry()}
      />
    </div>
  );
});
