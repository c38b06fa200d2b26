import { useCallback, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { MenuItem } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { isWide } from '../../surface/is-wide.ts';
import { ToolMenu } from '../../surface/tool-menu.tsx';
import { useSyncedList, useTourFrame } from '../../surface/use-synced-list.ts';
import { SnapshotPanel } from '../panel/snapshot-panel.tsx';
import { SnapshotStore } from '../stores/snapshot-store.ts';
import { CameraIcon } from './camera-icon.tsx';
import { TakeDialog } from './take-dialog.tsx';

/** One button that takes a snapshot or shows those that were taken. */
export const SnapshotTool = observer(function SnapshotTool() {
  const t = useText();
  const snapshotStore = useService(SnapshotStore);
  const { measuring } = useService(MeasureStore);
  const { placing } = useService(AnnotationStore);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const place = useRef<HTMLSpanElement>(null);
  const frame = useTourFrame(place);
  const { list, taking } = snapshotStore;
  useEffect(() => snapshotStore.connect({ store, tools, surfaces, isWide }), [snapshotStore, store, tools, surfaces]);
  // Who comes by a link to a snapshot sees its card.
  const read = useCallback(
    () =>
      void (
        snapshotStore.selected !== undefined &&
        isWide() &&
        list.all.some(({ uid }) => uid === snapshotStore.selected) &&
        store.panel === undefined &&
        snapshotStore.setPanelShown(true)
      ),
    [snapshotStore, list, store],
  );
  useSyncedList(list, store.opened?.tour.location, read);
  useEffect(() => () => snapshotStore.discard(), [snapshotStore]);
  const none = surfaces.all.length === 0;
  const take = (): void => {
    // What is half measured or half placed is no part of the picture.
    measuring.choose(undefined);
    placing.choose(undefined);
    // The drawing of it goes with the next frame.
    requestAnimationFrame(() => snapshotStore.take());
  };
  return (
    <>
      <span ref={place} hidden />
      {none && list.all.length === 0 ? null : (
        <ToolMenu
          label={t('annotate.snapshot')}
          icon={<CameraIcon />}
          pressed={taking !== undefined}
          refusal={none ? t('annotate.noPicture') : undefined}
          list={{
            label: t(snapshotStore.panelShown ? 'annotate.hideSnapshots' : 'annotate.showSnapshots', {
              count: list.all.length,
            }),
            toggle: () => snapshotStore.setPanelShown(!snapshotStore.panelShown),
          }}
        >
          <MenuItem icon={<CameraIcon />} disabled={none} onClick={take}>
            {t('annotate.takeSnapshot')}
          </MenuItem>
        </ToolMenu>
      )}
      {taking ? <TakeDialog taking={taking} /> : null}
      {frame && snapshotStore.panelShown
        ? createPortal(<SnapshotPanel onTake={none ? undefined : take} />, frame.chrome)
        : null}
    </>
  );
});
