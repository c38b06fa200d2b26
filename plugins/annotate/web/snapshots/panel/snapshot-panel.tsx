import { observer } from 'mobx-react-lite';
import { Button, EmptyState, FailedState, ListSkeleton, makeStyles } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { SearchField } from '../../surface/search-field.tsx';
import { ToolPanel } from '../../surface/tool-panel.tsx';
import { SnapshotStore } from '../stores/snapshot-store.ts';
import { SnapshotCard } from './snapshot-card.tsx';

const useStyles = makeStyles({
  list: { margin: 0, padding: 0, listStyleType: 'none' },
});

export interface SnapshotPanelProps {
  /** Undefined where nothing on screen can be taken. */
  readonly onTake: (() => void) | undefined;
}

/** The snapshots of the tour. */
export const SnapshotPanel = observer(function SnapshotPanel({ onTake }: SnapshotPanelProps) {
  const styles = useStyles();
  const t = useText();
  const snapshotStore = useService(SnapshotStore);
  const { list, shown, words } = snapshotStore;
  const { state, all } = list;
  const location = useService(TourStore).opened?.tour.location;
  const take = onTake ? (
    <Button appearance="primary" onClick={onTake}>
      {t('annotate.takeSnapshot')}
    </Button>
  ) : null;
  return (
    <ToolPanel
      title={t('annotate.snapshots')}
      closeLabel={t('annotate.closeSnapshots')}
      onClose={() => snapshotStore.setPanelShown(false)}
      progress={list.progress}
      foot={
        all.length > 0 ? (
          <>
            {take}
            <span>{t('annotate.shownOf', { shown: shown.length, count: all.length })}</span>
          </>
        ) : null
      }
    >
      {all.length > 0 ? (
        <SearchField
          label={t('annotate.findSnapshots')}
          words={words}
          onWords={(next) => snapshotStore.setWords(next)}
        />
      ) : null}
      {state === 'failed' ? (
        <FailedState
          title={t('annotate.snapshotsFailed')}
          message={t('annotate.snapshotsFailedHint')}
          onRetry={() => void (location !== undefined && list.load(location))}
        />
      ) : null}
      {shown.length > 0 ? (
        <ul className={styles.list}>
          {shown.map((snapshot) => (
            <SnapshotCard key={snapshot.uid} snapshot={snapshot} />
          ))}
        </ul>
      ) : all.length > 0 ? (
        <EmptyState title={t('annotate.noSnapshotFits')} message={t('annotate.noSnapshotFitsHint')} />
      ) : state === 'loaded' ? (
        <EmptyState title={t('annotate.noSnapshots')} message={t('annotate.noSnapshotsHint')} action={take} />
      ) : state === 'failed' ? null : (
        <ListSkeleton />
      )}
    </ToolPanel>
  );
});
