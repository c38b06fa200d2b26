import { EmptyState, FailedState, makeStyles, NoAccessState, PictureCard, Spinner, useDelayed } from '#core/ui';
import { useText } from '#core/web';
import type { ViewerFailure } from '#plugins/tour';
import { NoScan } from './no-scan.tsx';
import type { ScanReason, ScanStatus } from '../stores/scan-status.ts';

const useStyles = makeStyles({
  loading: { width: 'max-content', maxWidth: 'calc(var(--viewer-free-width, 100%) - 32px)', padding: '12px 20px' },
});

interface ScanStateProps {
  readonly status: ScanStatus;
  /** Name of the node or the cloud. */
  readonly name: string;
  readonly onRetry: () => void;
}

/** Shows a message instead of the scan, with a button if a retry may help. */
export function ScanState(props: ScanStateProps) {
  const t = useText();
  const { status, name } = props;
  if (status.state === 'loading') return <DelayedSpinner label={t('scan.loading', { name })} />;
  return status.state === 'ready' ? null : (
    <PictureCard>
      <ScanMessage {...props} reason={status.reason} />
    </PictureCard>
  );
}

interface ScanMessageProps extends Omit<ScanStateProps, 'status'> {
  readonly reason: ScanReason | ViewerFailure;
}

function ScanMessage({ reason, name, onRetry }: ScanMessageProps) {
  const t = useText();
  switch (reason) {
    case 'noStation':
    case 'noCloud':
      return <NoScan reason={reason} />;
    case 'noPicture':
      return <EmptyState title={t('scan.noPicture', { name })} message={t('scan.noPictureHint')} />;
    case 'cloudPreparing':
      return <EmptyState title={t('scan.cloudPreparing')} message={t('scan.cloudPreparingHint')} />;
    case 'noWebGl':
      return <FailedState title={t('scan.noWebGl')} message={t('scan.noWebGlHint')} />;
    case 'noAccess':
      return <NoAccessState to="scanAccess" />;
    case 'tokenExpired':
      return <FailedState title={t('scan.tokenExpired')} message={t('scan.tokenHint')} onRetry={onRetry} />;
    case 'tokenMissing':
      return <FailedState title={t('scan.tokenMissing')} message={t('scan.tokenHint')} onRetry={onRetry} />;
    case 'offline':
      return <FailedState title={t('scan.offline')} message={t('scan.offlineHint')} onRetry={onRetry} />;
    case 'cloudUnreadable':
      return (
        <FailedState
          title={t('scan.cloudUnreadable', { name })}
          message={t('scan.cloudUnreadableHint')}
          onRetry={onRetry}
        />
      );
    case 'failed':
    case 'notFound':
      return <FailedState title={t('scan.failed', { name })} message={t('scan.failedHint')} onRetry={onRetry} />;
  }
}

/** Longer than the transition to another node, so that the spinner appears only on slow connections. */
const spinnerDelayMs = 1_500;

function DelayedSpinner({ label }: { readonly label: string }) {
  const styles = useStyles();
  if (!useDelayed(spinnerDelayMs)) return null;
  return (
    <PictureCard className={styles.loading} role="status" aria-busy="true">
      <Spinner size="small" label={label} labelPosition="after" />
    </PictureCard>
  );
}
