import { makeStyles, mergeClasses, tokens, useCover } from '#core/ui';
import { useOffline, useText } from '#core/web';
import { phone, useGlass } from './use-glass.ts';

const useStyles = makeStyles({
  note: {
    position: 'absolute',
    // Below the top bar and above other messages.
    top: '56px',
    left: '50%',
    transform: 'translateX(-50%)',
    padding: '6px 16px',
    maxWidth: 'calc(100% - 160px)',
    fontSize: tokens.fontSizeBase200,
  },
  // Centred in the space next to the panel, to the right of the module rail.
  hasPanel: {
    left: 'calc(50% - 152px)',
    maxWidth: 'calc(100% - 464px)',
    [phone]: { left: '50%', maxWidth: 'calc(100% - 160px)' },
  },
});

/** Reports that the connection is lost. Unlike the frame, it does not fade when the tour is idle. */
export function OfflineNote({ hasPanel }: { readonly hasPanel: boolean }) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const offline = useOffline();
  const cover = useCover('top');
  return (
    <div role="status">
      {offline ? (
        <div ref={cover} className={mergeClasses(glass.glass, glass.rounded, styles.note, hasPanel && styles.hasPanel)}>
          {t('core.offlineNote')}
        </div>
      ) : null}
    </div>
  );
}
