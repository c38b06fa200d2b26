import { observer } from 'mobx-react-lite';
import { Button } from '#core/ui';
import { useService, useText } from '#core/web';
import { ItemPanel } from '../../components/item-panel.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { SnapshotStore } from '../stores/snapshot-store.ts';
import { useTakeSnapshot } from './use-take-snapshot.ts';
import { SnapshotCard } from './snapshot-card.tsx';

/** Lists the snapshots of the tour. */
export const SnapshotPanel = observer(function SnapshotPanel() {
  const t = useText();
  const snapshotStore = useService(SnapshotStore);
  const onTake = useTakeSnapshot();
  const { list, filteredItems, searchText } = snapshotStore;
  const { length: count } = list.all;
  const takeButton = onTake ? (
    <Button appearance="primary" onClick={onTake}>
      {t('annotate.takeSnapshot')}
    </Button>
  ) : null;
  return (
    <ItemPanel
      store={snapshotStore}
      title={t('annotate.snapshots')}
      closeLabel={t('annotate.closeSnapshots')}
      foot={
        count > 0 ? (
          <>
            {takeButton}
            <span>{t('annotate.shownOf', { shown: filteredItems.length, count })}</span>
          </>
        ) : null
      }
      filter={
        count > 0 ? (
          <SearchField
            label={t('annotate.findSnapshots')}
            text={searchText}
            onTextChange={(next) => snapshotStore.setSearchText(next)}
          />
        ) : null
      }
      rows={filteredItems.map((snapshot) => (
        <SnapshotCard key={snapshot.uid} snapshot={snapshot} />
      ))}
      texts={{
        failed: { title: t('annotate.snapshotsFailed'), hint: t('annotate.snapshotsFailedHint') },
        empty: { title: t('annotate.noSnapshots'), hint: t('annotate.noSnapshotsHint') },
        noMatch: { title: t('annotate.noSnapshotFits'), hint: t('annotate.noSnapshotFitsHint') },
      }}
      emptyAction={takeButton}
      undoable={false}
    />
  );
});
