import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { Button, Menu, MenuDivider, MenuItem, MenuItemRadio, MenuList, MenuPopover, MenuTrigger, Tooltip } from '#core/ui';
import { useService, useText } from '#core/web';
import type { MeasurementKind } from '#plugins/annotate';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { roomy } from '../../surface/roomy.ts';
import { AnnotationDesk } from '../../annotations/stores/annotation-desk.ts';
import { MeasureOverlay } from '../overlay/measure-overlay.tsx';
import { MeasurePanel } from '../panel/measure-panel.tsx';
import { MeasureDesk } from '../stores/measure-desk.ts';
import { KindIcon } from './icons.tsx';
import { MeasureBar } from './measure-bar.tsx';

const kinds: readonly MeasurementKind[] = ['DISTANCE', 'HEIGHT', 'ANGLE', 'AREA', 'DIAMETER', 'CORDINATES'];

/** One button with the six tools and the list; what is measured is drawn over each surface on screen. */
export const MeasureTool = observer(function MeasureTool() {
  const t = useText();
  const desk = useService(MeasureDesk);
  const annotations = useService(AnnotationDesk);
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const surfaces = useService(ViewSurfaces);
  const place = useRef<HTMLSpanElement>(null);
  const [frame, setFrame] = useState<HTMLElement>();
  const { measuring, list } = desk;
  const { tool } = measuring;
  const location = store.opened?.tour.location;
  useEffect(() => desk.connect({ store, tools, nameOf: (kind, number) => t('annotate.defaultName', { kind: t(`annotate.kind.${kind}`), number }), roomy }), [desk, store, tools, t]);
  useEffect(() => {
    if (location !== undefined) void list.load(location);
  }, [list, location]);
  useEffect(() => {
    const again = (): void => void list.sendAgain();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [list]);
  useEffect(() => () => desk.measuring.choose(undefined), [desk]);
  useEffect(() => setFrame(place.current?.closest<HTMLElement>('[role="toolbar"]')?.parentElement ?? undefined), []);
  const choose = (kind: MeasurementKind): void => {
    annotations.placing.choose(undefined);
    measuring.choose(kind);
  };
  const none = surfaces.all.length === 0;
  // Where nothing has depth and nothing was measured the tool would only be in the way.
  const useless = none && list.all.length === 0;
  return (
    <>
      <span ref={place} hidden />
      {useless ? null : (
        <Menu checkedValues={{ kind: tool ? [tool] : [] }} positioning="above">
          <MenuTrigger disableButtonEnhancement>
            <Tooltip content={t(tool ? `annotate.kind.${tool}` : 'annotate.measure')} relationship="label">
              <Button size="large" appearance={tool ? 'primary' : 'subtle'} icon={<KindIcon kind={tool ?? 'DISTANCE'} />} aria-pressed={tool !== undefined} />
            </Tooltip>
          </MenuTrigger>
          <MenuPopover>
            <MenuList>
              {kinds.map((kind) => (
                <MenuItemRadio key={kind} name="kind" value={kind} icon={<KindIcon kind={kind} />} disabled={none} onClick={() => choose(kind)}>
                  {t(`annotate.kind.${kind}`)}
                </MenuItemRadio>
              ))}
              {none ? <MenuItem disabled>{t('annotate.noSurface')}</MenuItem> : null}
              <MenuDivider />
              <MenuItem onClick={() => desk.setPanelShown(!desk.panelShown)}>{t(desk.panelShown ? 'annotate.hideList' : 'annotate.showList', { count: list.all.length })}</MenuItem>
            </MenuList>
          </MenuPopover>
        </Menu>
      )}
      {surfaces.all.map((surface, index) => (
        <MeasureOverlay key={surface.module} surface={surface} main={index === 0} />
      ))}
      {frame && tool ? createPortal(<MeasureBar />, frame) : null}
      {frame && desk.panelShown ? createPortal(<MeasurePanel />, frame) : null}
    </>
  );
});
