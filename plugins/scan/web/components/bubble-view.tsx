import { useEffect, useRef, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { makeStyles, PictureNotes } from '#core/ui';
import { HttpClient, useService, useText } from '#core/web';
import { PanoramaEngines, TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { ScanState } from './scan-state.tsx';
import { BubbleSession } from '../viewer/bubble/bubble-session.ts';
import { usePinStyles } from '../viewer/bubble/use-pin-styles.ts';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, backgroundColor: '#000' },
  host: { position: 'absolute', inset: 0 },
});

/** The scan of the present place: a picture of which each pixel has a place in space. */
export const BubbleView = observer(function BubbleView() {
  const styles = useStyles();
  const pins = usePinStyles();
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const parts = {
    engines: useService(PanoramaEngines),
    surfaces: useService(ViewSurfaces),
    store: useService(TourStore),
    tools: useService(TourTools),
    http: useService(HttpClient),
  };
  const [session] = useState(() => new BubbleSession(parts));
  const label = t('scan.bubble');
  useEffect(() => session.setPresentation({ t, pin: pins.pin, name: pins.name }), [session, t, pins]);
  useEffect(() => (host.current ? session.start(host.current, label) : undefined), [session, label]);
  const name = session.station?.name ?? parts.store.currentNode?.name ?? '';
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      <ScanState status={session.status} name={name} onRetry={() => session.retry()} />
      <PictureNotes
        graphicsLost={session.contextLost}
        partsMissing={session.partsMissing && session.status === 'shown' ? t('scan.pictureMissing') : undefined}
        onRetry={() => session.retry()}
      />
    </div>
  );
});
