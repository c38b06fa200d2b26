import { useCallback, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import type { AnnotationKind } from '#plugins/annotate';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { hasDepth } from '../../surface/has-depth.ts';
import { KindItems, ToolMenu } from '../../surface/tool-menu.tsx';
import { useSyncedList, useTourFrame } from '../../surface/use-synced-list.ts';
import { AnnotationOverlay } from '../overlay/annotation-overlay.tsx';
import { AnnotationPanel } from '../panel/annotation-panel.tsx';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { AnnotationBar } from './annotation-bar.tsx';
import { AnnotationIcon } from './icons.tsx';

const kinds: readonly AnnotationKind[] = [
  'TEXT_LABEL',
  'ARROW',
  'RECTANGLE',
  'ELLIPSE',
  'DISTANCE',
  'TEMPERATURE',
  'CORDINATES',
];

/** One button with the seven tools and the list; annotations are drawn over each surface on screen. */
export const AnnotateTool = observer(function AnnotateTool() {
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const { measuring } = useService(MeasureStore);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const place = useRef<HTMLSpanElement>(null);
  const frame = useTourFrame(place);
  const { placing, list, selected } = annotationStore;
  const { tool } = placing;
  const location = store.opened?.tour.location;
  useEffect(
    () =>
      annotationStore.connect({
        store,
        tools,
        nameOf: (kind, number) => t('annotate.defaultName', { kind: t(`annotate.annotation.${kind}`), number }),
      }),
    [annotationStore, store, tools, t],
  );
  // Who comes by a link to an annotation reads it.
  const read = useCallback(
    () =>
      void (
        annotationStore.selected !== undefined &&
        list.all.some(({ uid }) => uid === annotationStore.selected) &&
        store.panel === undefined &&
        annotationStore.setPanelShown(true)
      ),
    [annotationStore, list, store],
  );
  useSyncedList(list, location, read);
  useEffect(() => () => placing.choose(undefined), [placing]);
  const choose = (kind: AnnotationKind): void => {
    measuring.choose(undefined);
    placing.choose(kind);
    annotationStore.setDrawn(true);
  };
  const none = !surfaces.all.some(hasDepth);
  // Where there is no picture at all and nothing was marked the tool would only be in the way.
  const useless = surfaces.all.length === 0 && list.all.length === 0;
  return (
    <>
      <span ref={place} hidden />
      {useless ? null : (
        <ToolMenu
          label={t(tool ? `annotate.annotation.${tool}` : 'annotate.annotate')}
          icon={<AnnotationIcon kind={tool} />}
          pressed={tool !== undefined}
          kind={tool}
          refusal={none ? t('annotate.noPlace') : undefined}
          list={{
            label: t(annotationStore.panelShown ? 'annotate.hideAnnotations' : 'annotate.showAnnotations', {
              count: list.all.length,
            }),
            toggle: () => annotationStore.setPanelShown(!annotationStore.panelShown),
          }}
          drawing={
            list.all.length === 0
              ? undefined
              : {
                  label: t(annotationStore.drawn ? 'annotate.hideDrawn' : 'annotate.showDrawn'),
                  toggle: () => annotationStore.setDrawn(!annotationStore.drawn),
                }
          }
        >
          <KindItems
            kinds={kinds}
            nameOf={(kind) => t(`annotate.annotation.${kind}`)}
            iconOf={(kind) => <AnnotationIcon kind={kind} />}
            disabled={none}
            onChoose={choose}
          />
        </ToolMenu>
      )}
      {surfaces.all.map((surface, index) => (
        <AnnotationOverlay key={surface.module} surface={surface} main={index === 0} selected={selected} />
      ))}
      {frame && tool ? createPortal(<AnnotationBar key={tool} />, frame.root) : null}
      {frame && annotationStore.panelShown ? createPortal(<AnnotationPanel />, frame.chrome) : null}
    </>
  );
});
