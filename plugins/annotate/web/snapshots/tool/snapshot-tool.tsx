import { useCallback, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { MenuItem } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { AnnotationDesk } from '../../annotations/stores/annotation-desk.ts';
import { MeasureDesk } from '../../measure/stores/measure-desk.ts';
import { roomy } from '../../surface/roomy.ts';
import { ToolMenu } from '../../surface/tool-menu.tsx';
import { useKeptList, useTourFrame } from '../../surface/use-kept-list.ts';
import { SnapshotPanel } from '../panel/snapshot-panel.tsx';
import { SnapshotDesk } from '../stores/snapshot-desk.ts';
import { CameraIcon } from './camera-icon.tsx';
import { TakeDialog } from './take-dialog.tsx';

/** One button that takes a snapshot or shows those that were taken. */
export const SnapshotTool = observer(function SnapshotTool() {
  const t = useText();
  const desk = useService(SnapshotDesk);
  const { measuring } = useService(MeasureDesk);
  const { placing } = useService(AnnotationDesk);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const place = useRef<HTMLSpanElement>(null);
  const frame = useTourFrame(place);
  const { list, taking } = desk;
  useEffect(() => desk.connect({ store, tools, surfaces, roomy }), [desk, store, tools, surfaces]);
  // Who comes by a link to a snapshot sees its card.
  const read = useCallback(
    () =>
      void (
        desk.selected !== undefined &&
        roomy() &&
        list.all.some(({ uid }) => uid === desk.selected) &&
        store.panel === undefined &&
        desk.setPanelShown(true)
      ),
    [desk, list, store],
  );
  useKeptList(list, store.opened?.tour.location, read);
  useEffect(() => () => desk.discard(), [desk]);
  const none = surfaces.all.length === 0;
  const take = (): void => {
    // What is half measured or half placed is no part of the picture.
    measuring.choose(undefined);
    placing.choose(undefined);
    // The drawing of it goes with the next frame.
    requestAnimationFrame(() => desk.take());
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
            label: t(desk.panelShown ? 'annotate.hideSnapshots' : 'annotate.showSnapshots', { count: list.all.length }),
            toggle: () => desk.setPanelShown(!desk.panelShown),
          }}
        >
          <MenuItem icon={<CameraIcon />} disabled={none} onClick={take}>
            {t('annotate.takeSnapshot')}
          </MenuItem>
        </ToolMenu>
      )}
      {taking ? <TakeDialog taking={taking} /> : null}
      {frame && desk.panelShown ? createPortal(<SnapshotPanel onTake={none ? undefined : take} />, frame.chrome) : null}
    </>
  );
});
