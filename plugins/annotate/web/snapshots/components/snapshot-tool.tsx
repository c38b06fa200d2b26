import { useEffect, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { MenuItem } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { isWide } from '../../components/is-wide.ts';
import { useHasViewDirection } from '../../components/use-has-view-direction.ts';
import { ToolMenu } from '../../components/tool-menu.tsx';
import { useSyncedList } from '../../stores/use-synced-list.ts';
import { SnapshotStore } from '../stores/snapshot-store.ts';
import { CameraIcon } from './camera-icon.tsx';
import { TakeDialog } from './take-dialog.tsx';
import { useTakeSnapshot } from './use-take-snapshot.ts';

/** The tool bar button whose menu takes a snapshot or toggles the snapshot panel. */
export const SnapshotTool = observer(function SnapshotTool() {
  const t = useText();
  const snapshotStore = useService(SnapshotStore);
  const tourStore = useService(TourStore);
  const tourTools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const take = useTakeSnapshot();
  const hasViewDirection = useHasViewDirection();
  const { list, snapshotDraft } = snapshotStore;
  const [button, setButton] = useState<HTMLElement | null>(null);
  useEffect(
    () => snapshotStore.connect({ tourStore, tourTools, surfaces, isWide }),
    [snapshotStore, tourStore, tourTools, surfaces],
  );
  useSyncedList(snapshotStore, isWide);
  useEffect(() => () => snapshotStore.discard(), [snapshotStore]);
  return (
    <>
      {!hasViewDirection && !take && list.all.length === 0 ? null : (
        <ToolMenu
          buttonRef={setButton}
          label={t('annotate.snapshot')}
          icon={<CameraIcon />}
          pressed={snapshotDraft !== undefined}
          disabledReason={take ? undefined : t('annotate.noPicture')}
          panelToggle={{
            label: t(snapshotStore.panelOpen ? 'annotate.hideSnapshots' : 'annotate.showSnapshots', {
              count: list.all.length,
            }),
            toggle: () => snapshotStore.setPanelOpen(!snapshotStore.panelOpen),
          }}
        >
          <MenuItem icon={<CameraIcon />} disabled={!take} onClick={take}>
            {t('annotate.takeSnapshot')}
          </MenuItem>
        </ToolMenu>
      )}
      {snapshotDraft ? <TakeDialog snapshotDraft={snapshotDraft} button={button} /> : null}
    </>
  );
});
