import { useEffect, useRef, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { EmptyState, FailedState, LoadingState, makeStyles, tokens, useDelayed } from '#core/ui';
import { HttpClient, useService, useText } from '#core/web';
import { PanoramaEngines, TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { BubbleSession, type BubbleStatus } from './bubble-session.ts';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, backgroundColor: '#000' },
  host: { position: 'absolute', inset: 0 },
  over: { position: 'absolute', top: '50%', left: '50%', transform: 'translate(-50%, -50%)', maxWidth: 'calc(100% - 32px)', maxHeight: 'calc(100% - 112px)', overflowY: 'auto', borderRadius: tokens.borderRadiusXLarge, backgroundColor: tokens.colorNeutralBackground1, color: tokens.colorNeutralForeground1, boxShadow: tokens.shadow16 },
  note: { position: 'absolute', top: '64px', left: '50%', transform: 'translateX(-50%)', padding: '6px 16px', borderRadius: tokens.borderRadiusXLarge, backgroundColor: tokens.colorNeutralBackground1 },
  pin: {
    display: 'grid',
    placeItems: 'center',
    minWidth: '48px',
    minHeight: '48px',
    padding: 0,
    border: 'none',
    backgroundColor: 'transparent',
    color: '#fff',
    font: 'inherit',
    cursor: 'pointer',
    ':focus-visible': { outline: '2px solid #fff', outlineOffset: '2px', boxShadow: '0 0 0 4px #000', borderRadius: tokens.borderRadiusMedium },
    '::before': { content: '""', width: '20px', height: '20px', transform: 'rotate(45deg)', border: '3px solid #fff', backgroundColor: 'rgba(0, 0, 0, 0.45)', filter: 'drop-shadow(0 1px 3px rgba(0, 0, 0, 0.7))' },
  },
  name: { padding: '1px 8px', borderRadius: tokens.borderRadiusMedium, backgroundColor: 'rgba(0, 0, 0, 0.72)', fontSize: '12px', lineHeight: '18px', whiteSpace: 'nowrap' },
});

/** The scan of the present place: a picture of which each pixel has a place in space. */
const ScanModule = observer(function ScanModule() {
  const styles = useStyles();
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const parts = { engines: useService(PanoramaEngines), surfaces: useService(ViewSurfaces), store: useService(TourStore), tools: useService(TourTools), http: useService(HttpClient) };
  const [session] = useState(() => new BubbleSession(parts));
  const label = t('scan.bubble');
  useEffect(() => session.dress({ t, pin: styles.pin, name: styles.name }), [session, t, styles]);
  useEffect(() => (host.current ? session.start(host.current, label) : undefined), [session, label]);
  const name = session.station?.name ?? parts.store.currentNode?.name ?? '';
  return (
    <div className={styles.root}>
      <div ref={host} className={styles.host} />
      {session.status === 'shown' ? null : (
        <div className={styles.over}>
          <State status={session.status} name={name} onRetry={() => session.retry()} />
        </div>
      )}
      <div role="status">{session.contextLost ? <div className={styles.note}>{t('scan.contextLost')}</div> : null}</div>
    </div>
  );
});
export default ScanModule;

function State({ status, name, onRetry }: { readonly status: Exclude<BubbleStatus, 'shown'>; readonly name: string; readonly onRetry: () => void }) {
  const t = useText();
  switch (status) {
    case 'loading':
      return <Slow label={t('scan.loading', { name })} />;
    case 'noStation':
      return <EmptyState title={t('scan.noStation')} message={t('scan.noStationHint')} />;
    case 'noPicture':
      return <EmptyState title={t('scan.noPicture', { name })} message={t('scan.noPictureHint')} />;
    case 'noWebGl':
      return <FailedState title={t('scan.noWebGl')} message={t('scan.noWebGlHint')} />;
    case 'noAccess':
      return <FailedState title={t('scan.noAccess')} message={t('scan.noAccessHint')} />;
    case 'tokenExpired':
      return <FailedState title={t('scan.tokenExpired')} message={t('scan.tokenHint')} onRetry={onRetry} />;
    case 'tokenMissing':
      return <FailedState title={t('scan.tokenMissing')} message={t('scan.tokenHint')} onRetry={onRetry} />;
    case 'offline':
      return <FailedState title={t('scan.offline')} message={t('scan.offlineHint')} onRetry={onRetry} />;
    case 'failed':
      return <FailedState title={t('scan.failed', { name })} message={t('scan.failedHint')} onRetry={onRetry} />;
  }
}

/** Longer than a walk takes: only a slow line is worth a word. */
const patience = 1_500;

function Slow({ label }: { readonly label: string }) {
  return useDelayed(patience) ? <LoadingState label={label} /> : null;
}
