import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { Button, Menu, MenuDivider, MenuItem, MenuItemRadio, MenuList, MenuPopover, MenuTrigger, Tooltip } from '#core/ui';
import { useService, useText } from '#core/web';
import type { AnnotationKind } from '#plugins/annotate';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { MeasureDesk } from '../../measure/stores/measure-desk.ts';
import { roomy } from '../../surface/roomy.ts';
import { AnnotationOverlay } from '../overlay/annotation-overlay.tsx';
import { AnnotationPanel } from '../panel/annotation-panel.tsx';
import { AnnotationDesk } from '../stores/annotation-desk.ts';
import { AnnotationBar } from './annotation-bar.tsx';
import { AnnotationIcon } from './icons.tsx';

const kinds: readonly AnnotationKind[] = ['TEXT_LABEL', 'ARROW', 'RECTANGLE', 'ELLIPSE', 'DISTANCE', 'TEMPERATURE', 'CORDINATES'];

/** One button with the seven tools and the list; annotations are drawn over each surface on screen. */
export const AnnotateTool = observer(function AnnotateTool() {
  const t = useText();
  const desk = useService(AnnotationDesk);
  const { measuring } = useService(MeasureDesk);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const place = useRef<HTMLSpanElement>(null);
  const [frame, setFrame] = useState<HTMLElement>();
  const { placing, list, selected } = desk;
  const { tool } = placing;
  const location = store.opened?.tour.location;
  useEffect(() => desk.connect({ store, tools, nameOf: (kind, number) => t('annotate.defaultName', { kind: t(`annotate.annotation.${kind}`), number }), roomy }), [desk, store, tools, t]);
  useEffect(() => {
    if (location === undefined) return;
    // Who comes by a link to an annotation reads it.
    void list.load(location).then(() => desk.selected !== undefined && list.all.some(({ uid }) => uid === desk.selected) && store.panel === undefined && desk.setPanelShown(true));
  }, [desk, list, location, store]);
  useEffect(() => {
    const again = (): void => void list.sendAgain();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [list]);
  useEffect(() => () => placing.choose(undefined), [placing]);
  useEffect(() => setFrame(place.current?.closest<HTMLElement>('[role="toolbar"]')?.parentElement ?? undefined), []);
  const choose = (kind: AnnotationKind): void => {
    measuring.choose(undefined);
    placing.choose(kind);
  };
  const none = surfaces.all.length === 0;
  // Where nothing has depth and nothing was marked the tool would only be in the way.
  const useless = none && list.all.length === 0;
  return (
    <>
      <span ref={place} hidden />
      {useless ? null : (
        <Menu checkedValues={{ kind: tool ? [tool] : [] }} positioning="above">
          <MenuTrigger disableButtonEnhancement>
            <Tooltip content={t(tool ? `annotate.annotation.${tool}` : 'annotate.annotate')} relationship="label">
              <Button size="large" appearance={tool ? 'primary' : 'subtle'} icon={<AnnotationIcon kind={tool} />} aria-pressed={tool !== undefined} />
            </Tooltip>
          </MenuTrigger>
          <MenuPopover>
            <MenuList>
              {kinds.map((kind) => (
                <MenuItemRadio key={kind} name="kind" value={kind} icon={<AnnotationIcon kind={kind} />} disabled={none} onClick={() => choose(kind)}>
                  {t(`annotate.annotation.${kind}`)}
                </MenuItemRadio>
              ))}
              {none ? <MenuItem disabled>{t('annotate.noPlace')}</MenuItem> : null}
              <MenuDivider />
              <MenuItem onClick={() => desk.setPanelShown(!desk.panelShown)}>{t(desk.panelShown ? 'annotate.hideAnnotations' : 'annotate.showAnnotations', { count: list.all.length })}</MenuItem>
            </MenuList>
          </MenuPopover>
        </Menu>
      )}
      {surfaces.all.map((surface, index) => (
        <AnnotationOverlay key={surface.module} surface={surface} main={index === 0} selected={selected} />
      ))}
      {frame && tool ? createPortal(<AnnotationBar key={tool} />, frame) : null}
      {frame && desk.panelShown ? createPortal(<AnnotationPanel />, frame) : null}
    </>
  );
});
