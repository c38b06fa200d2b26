import { useEffect, useState } from 'react';
import { observer } from 'mobx-react-lite';
import { MenuItem } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { isWide } from '../../components/is-wide.ts';
import { useHasView } from '../../components/use-has-view.ts';
import { ToolMenu } from '../../components/tool-menu.tsx';
import { useSyncedList } from '../../stores/use-synced-list.ts';
import { SnapshotStore } from '../stores/snapshot-store.ts';
import { CameraIcon } from './camera-icon.tsx';
import { TakeDialog } from './take-dialog.tsx';
import { useTakeSnapshot } from './use-take-snapshot.ts';

/** The tool bar button that takes a snapshot or shows the list. */
export const SnapshotTool = observer(function SnapshotTool() {
  const t = useText();
  const snapshotStore = useService(SnapshotStore);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const take = useTakeSnapshot();
  const hasView = useHasView();
  const { list, snapshotDraft } = snapshotStore;
  const [button, setButton] = useState<HTMLElement | null>(null);
  useEffect(() => snapshotStore.connect({ store, tools, surfaces, isWide }), [snapshotStore, store, tools, surfaces]);
  useSyncedList(snapshotStore, isWide);
  useEffect(() => () => snapshotStore.discard(), [snapshotStore]);
  return (
    <>
      {!hasView && !take && list.all.length === 0 ? null : (
        <ToolMenu
          buttonRef={setButton}
          label={t('annotate.snapshot')}
          icon={<CameraIcon />}
          pressed={snapshotDraft !== undefined}
          disabledReason={take ? undefined : t('annotate.noPicture')}
          list={{
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
