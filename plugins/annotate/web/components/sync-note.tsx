import { Badge, Button, makeStyles } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({ actions: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px' } });

/** `refused` means that the server rejected the item, and `failed` that the server failed several times. */
type SyncState = 'saved' | 'saving' | 'unsent' | 'refused' | 'failed' | 'conflict';

/** Shows that an item is not saved. Renders nothing for a saved item. */
export function SyncBadge({ state }: { readonly state: SyncState }) {
  const t = useText();
  if (state === 'saved') return null;
  return (
    <Badge appearance="tint" color={state === 'saving' ? 'informative' : 'warning'} role="status">
      {t(`annotate.sync.${state}`)}
    </Badge>
  );
}

export interface SyncActionsProps {
  readonly uid: string;
  readonly sync:
    | { readonly state: Exclude<SyncState, 'conflict'> }
    | { readonly state: 'conflict'; readonly theirs: { readonly name: string } };
  readonly list: { keepMine(uid: string): Promise<void>; takeTheirs(uid: string): void; resendAll(): Promise<void> };
}

/** Offers to send an unsaved item again or to resolve a conflict. Renders nothing for a saved item. */
export function SyncActions({ uid, sync, list }: SyncActionsProps) {
  const styles = useStyles();
  const t = useText();
  if (sync.state === 'unsent' || sync.state === 'refused' || sync.state === 'failed')
    return (
      <div className={styles.actions}>
        {sync.state === 'failed' && <span>{t('annotate.sync.failedHint')}</span>}
        <Button size="small" onClick={() => void list.resendAll()}>
          {t('annotate.sendAgain')}
        </Button>
      </div>
    );
  if (sync.state !== 'conflict') return null;
  return (
    <div className={styles.actions}>
      <span>{t('annotate.conflict', { name: sync.theirs.name })}</span>
      <Button size="small" onClick={() => void list.keepMine(uid)}>
        {t('annotate.keepMine')}
      </Button>
      <Button size="small" onClick={() => list.takeTheirs(uid)}>
        {t('annotate.takeTheirs')}
      </Button>
    </div>
  );
}
