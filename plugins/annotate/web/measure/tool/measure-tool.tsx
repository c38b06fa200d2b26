import { useCallback, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import type { MeasurementKind } from '#plugins/annotate';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { hasDepth } from '../../surface/has-depth.ts';
import { useOccluders } from '../../surface/labels/use-occluders.ts';
import { KindItems, ToolMenu } from '../../surface/tool-menu.tsx';
import { useSyncedList, useTourFrame } from '../../surface/use-synced-list.ts';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import { MeasureOverlay } from '../overlay/measure-overlay.tsx';
import { MeasurePanel } from '../panel/measure-panel.tsx';
import { MeasureStore } from '../stores/measure-store.ts';
import { KindIcon } from './icons.tsx';
import { MeasureBar } from './measure-bar.tsx';

const kinds: readonly MeasurementKind[] = ['DISTANCE', 'HEIGHT', 'ANGLE', 'AREA', 'DIAMETER', 'CORDINATES'];

/** One button with the six tools and the list; what is measured is drawn over each surface on screen. */
export const MeasureTool = observer(function MeasureTool() {
  const t = useText();
  const measureStore = useService(MeasureStore);
  const annotations = useService(AnnotationStore);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const place = useRef<HTMLSpanElement>(null);
  const frame = useTourFrame(place);
  useOccluders(frame, surfaces.all);
  const { measuring, list } = measureStore;
  const { tool } = measuring;
  const location = store.opened?.tour.location;
  useEffect(
    () =>
      measureStore.connect({
        store,
        tools,
        nameOf: (kind, number) => t('annotate.defaultName', { kind: t(`annotate.kind.${kind}`), number }),
      }),
    [measureStore, store, tools, t],
  );
  // Who comes by a link to a measurement reads it.
  const read = useCallback(
    () =>
      void (
        measureStore.selected !== undefined &&
        list.all.some(({ uid }) => uid === measureStore.selected) &&
        store.panel === undefined &&
        measureStore.setPanelShown(true)
      ),
    [measureStore, list, store],
  );
  useSyncedList(list, location, read);
  useEffect(() => () => measureStore.measuring.choose(undefined), [measureStore]);
  const choose = (kind: MeasurementKind): void => {
    annotations.placing.choose(undefined);
    measuring.choose(kind);
    measureStore.setDrawn(true);
  };
  const none = !surfaces.all.some(hasDepth);
  // Where there is no picture at all and nothing was measured the tool would only be in the way.
  const useless = surfaces.all.length === 0 && list.all.length === 0;
  return (
    <>
      <span ref={place} hidden />
      {useless ? null : (
        <ToolMenu
          label={t(tool ? `annotate.kind.${tool}` : 'annotate.measure')}
          icon={<KindIcon kind={tool ?? 'DISTANCE'} />}
          pressed={tool !== undefined}
          kind={tool}
          refusal={none ? t('annotate.noSurface') : undefined}
          list={{
            label: t(measureStore.panelShown ? 'annotate.hideList' : 'annotate.showList', { count: list.all.length }),
            toggle: () => measureStore.setPanelShown(!measureStore.panelShown),
          }}
          drawing={
            list.all.length === 0
              ? undefined
              : {
                  label: t(measureStore.drawn ? 'annotate.hideDrawn' : 'annotate.showDrawn'),
                  toggle: () => measureStore.setDrawn(!measureStore.drawn),
                }
          }
        >
          <KindItems
            kinds={kinds}
            nameOf={(kind) => t(`annotate.kind.${kind}`)}
            iconOf={(kind) => <KindIcon kind={kind} />}
            disabled={none}
            onChoose={choose}
          />
        </ToolMenu>
      )}
      {surfaces.all.map((surface, index) => (
        <MeasureOverlay key={surface.module} surface={surface} main={index === 0} />
      ))}
      {frame && tool ? createPortal(<MeasureBar />, frame.root) : null}
      {frame && measureStore.panelShown ? createPortal(<MeasurePanel />, frame.chrome) : null}
    </>
  );
});
