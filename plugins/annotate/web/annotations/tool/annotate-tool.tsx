import { useCallback, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import type { AnnotationKind } from '#plugins/annotate';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { MeasureDesk } from '../../measure/stores/measure-desk.ts';
import { hasDepth } from '../../surface/has-depth.ts';
import { KindItems, ToolMenu } from '../../surface/tool-menu.tsx';
import { useKeptList, useTourFrame } from '../../surface/use-kept-list.ts';
import { AnnotationOverlay } from '../overlay/annotation-overlay.tsx';
import { AnnotationPanel } from '../panel/annotation-panel.tsx';
import { AnnotationDesk } from '../stores/annotation-desk.ts';
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
  const desk = useService(AnnotationDesk);
  const { measuring } = useService(MeasureDesk);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const place = useRef<HTMLSpanElement>(null);
  const frame = useTourFrame(place);
  const { placing, list, selected } = desk;
  const { tool } = placing;
  const location = store.opened?.tour.location;
  useEffect(
    () =>
      desk.connect({
        store,
        tools,
        nameOf: (kind, number) => t('annotate.defaultName', { kind: t(`annotate.annotation.${kind}`), number }),
      }),
    [desk, store, tools, t],
  );
  // Who comes by a link to an annotation reads it.
  const read = useCallback(
    () =>
      void (
        desk.selected !== undefined &&
        list.all.some(({ uid }) => uid === desk.selected) &&
        store.panel === undefined &&
        desk.setPanelShown(true)
      ),
    [desk, list, store],
  );
  useKeptList(list, location, read);
  useEffect(() => () => placing.choose(undefined), [placing]);
  const choose = (kind: AnnotationKind): void => {
    measuring.choose(undefined);
    placing.choose(kind);
    desk.setDrawn(true);
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
            label: t(desk.panelShown ? 'annotate.hideAnnotations' : 'annotate.showAnnotations', {
              count: list.all.length,
            }),
            toggle: () => desk.setPanelShown(!desk.panelShown),
          }}
          drawing={
            list.all.length === 0
              ? undefined
              : {
                  label: t(desk.drawn ? 'annotate.hideDrawn' : 'annotate.showDrawn'),
                  toggle: () => desk.setDrawn(!desk.drawn),
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
      {frame && desk.panelShown ? createPortal(<AnnotationPanel />, frame.chrome) : null}
    </>
  );
});
